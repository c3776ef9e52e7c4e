/* Places for labels beside the lines of a chart, where they cover no line and no other label. */
const Labels = (() => {
  "use strict";

  const CELL = 3; // pixels
  const GAP = 4; // between a label and its line
  const HEIGHT = 14;
  const TEXT = 255;

  /** What covers each cell of a chart: a line by its number, or a text. */
  class Board {
    constructor({ left, top, right, bottom }) {
      Object.assign(this, { left, top, right, bottom });
      this.columns = Math.ceil((right - left) / CELL) + 1;
      this.rows = Math.ceil((bottom - top) / CELL) + 1;
      this.cells = new Uint8Array(this.columns * this.rows);
    }

    mark(x, y, number) {
      const column = Math.floor((x - this.left) / CELL);
      const row = Math.floor((y - this.top) / CELL);
      if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return;
      this.cells[row * this.columns + column] = number;
    }

    /** Mark the cells along a line, given by its vertices. */
    addLine({ xs, ys }, number) {
      for (let index = 1; index < xs.length; index += 1) {
        const [x, y] = [xs[index - 1], ys[index - 1]];
        const [dx, dy] = [xs[index] - x, ys[index] - y];
        const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) / (CELL / 2));
        if (!(steps < 1e5)) continue; // a break
        for (let step = 0; step <= steps; step += 1) this.mark(x + (step / (steps || 1)) * dx, y + (step / (steps || 1)) * dy, number);
      }
    }

    addBox({ x, y, width, height }) {
      for (let top = y; top <= y + height; top += CELL) {
        for (let left = x; left <= x + width; left += CELL) this.mark(left, top, TEXT);
      }
    }

    /** Whether nothing covers a box, and no other line is within `margin` of it. */
    isFree({ x, y, width, height }, own, margin) {
      if (x < this.left || y < this.top || x + width > this.right || y + height > this.bottom) return false;
      const limit = (value, count) => Math.min(Math.max(value, 0), count - 1);
      const column = (value) => limit(Math.floor((value - this.left) / CELL), this.columns);
      const row = (value) => limit(Math.floor((value - this.top) / CELL), this.rows);
      const inner = [column(x), column(x + width), row(y), row(y + height)];
      for (let r = row(y - margin); r <= row(y + height + margin); r += 1) {
        for (let c = column(x - margin); c <= column(x + width + margin); c += 1) {
          const cell = this.cells[r * this.columns + c];
          if (!cell) continue;
          if (cell !== own || (c >= inner[0] && c <= inner[1] && r >= inner[2] && r <= inner[3])) return false;
        }
      }
      return true;
    }
  }

  /** Points along a line, about `distance` pixels apart. */
  function pointsAlong({ xs, ys }, distance = 5) {
    const points = [];
    for (let index = 1; index < xs.length; index += 1) {
      const [dx, dy] = [xs[index] - xs[index - 1], ys[index] - ys[index - 1]];
      const steps = Math.ceil(Math.hypot(dx, dy) / distance);
      if (!(steps < 1e4)) continue;
      for (let step = 0; step < steps; step += 1) points.push([xs[index - 1] + (step / steps) * dx, ys[index - 1] + (step / steps) * dy]);
    }
    return points;
  }

  /** Boxes of a label at a point of its line: beside it and, for flat lines, above and below. */
  function boxesAt([x, y], width) {
    const right = x + GAP;
    const left = x - GAP - width;
    const above = y - GAP - HEIGHT;
    const below = y + GAP;
    return [[right, below], [left, above], [right, above], [left, below], [x - width / 2, above], [x - width / 2, below]]
      .map(([boxX, boxY]) => ({ x: boxX, y: boxY, width, height: HEIGHT }));
  }

  /**
   * Box of a label beside a line where it covers nothing, or null.
   *
   * Places far from all other lines come first, then those near `preferred`, a share of the line's length.
   */
  function place(board, line, number, width, preferred = 0.6) {
    const points = pointsAlong(line);
    const order = [...points.keys()].sort((a, b) => Math.abs(a / points.length - preferred) - Math.abs(b / points.length - preferred));
    for (const margin of [10, 6, 3]) {
      for (const index of order) {
        const box = boxesAt(points[index], width).find((candidate) => board.isFree(candidate, number, margin));
        if (box) {
          board.addBox(box);
          return box;
        }
      }
    }
    return null;
  }

  /** Box of a label near a point, or null. */
  function placeAt(board, [x, y], width) {
    for (const gap of [4, 12, 22]) {
      const points = [[x + gap, y + gap], [x - gap, y + gap], [x + gap, y - gap], [x - gap, y - gap]];
      for (const point of points) {
        const box = boxesAt(point, width).find((candidate) => board.isFree(candidate, 0, 2));
        if (box) {
          board.addBox(box);
          return box;
        }
      }
    }
    return null;
  }

  /** The corner of a free area, as far down and to the right as there is one; or null. */
  function area(board, width, height) {
    for (let y = board.bottom - height - GAP; y >= board.top; y -= 2 * CELL) {
      for (let x = board.right - width - GAP; x >= board.left; x -= 3 * CELL) {
        const box = { x, y, width, height };
        if (!board.isFree(box, 0, GAP)) continue;
        board.addBox(box);
        return box;
      }
    }
    return null;
  }

  return { Board, place, placeAt, area };
})();
