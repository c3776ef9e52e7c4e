/* Long arrays of the document, which are compressed (see packing.py). */
const Documents = (() => {
  "use strict";

  const SMALLEST_EXPONENT = -324;
  const LARGEST_EXACT_POWER = 22;
  const POWERS = Array.from({ length: LARGEST_EXACT_POWER + 1 }, (_, power) => Number(`1e${power}`));

  /** The page's document, with its packed arrays decoded. */
  async function decode(document) {
    const data = typeof document.packed === "string" ? await unpack(document) : document;
    const packed = [];
    const visit = (parent) => {
      for (const [key, value] of Object.entries(parent)) {
        if (typeof value !== "object" || value === null) continue;
        if (typeof value.packed === "string") packed.push({ parent, key, value });
        else visit(value);
      }
    };
    visit(data);
    await Promise.all(packed.map(async ({ parent, key, value }) => {
      parent[key] = await unpack(value);
    }));
    return data;
  }

  const unpack = async (value) => DECODERS[value.kind](await inflate(value.packed), value);

  async function inflate(text) {
    const compressed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  /** Reads numbers from bytes. */
  class Reader {
    constructor(bytes) {
      this.bytes = bytes;
      this.position = 0;
    }

    get isDone() { return this.position >= this.bytes.length; }

    integer() {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = this.bytes[this.position];
        this.position += 1;
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
    }

    integers(count) {
      return Array.from({ length: count }, () => this.integer());
    }

    /** All remaining bytes as floats, of which bytes of the same order are kept together. */
    floats() {
      const planes = this.bytes.subarray(this.position);
      const count = planes.length / 8;
      const view = new DataView(new ArrayBuffer(planes.length));
      planes.forEach((byte, index) => view.setUint8(8 * (index % count) + Math.floor(index / count), byte));
      return Float64Array.from({ length: count }, (_, index) => view.getFloat64(8 * index, true));
    }
  }

  function decodeIntegers(bytes) {
    const reader = new Reader(bytes);
    const values = [];
    while (!reader.isDone) {
      const code = reader.integer();
      values.push(code % 2 ? -(code + 1) / 2 : code / 2);
    }
    return values;
  }

  function decodeThresholds(bytes, { sign, digits }) {
    const reader = new Reader(bytes);
    const [count, exactCount, startsBelowZero] = reader.integers(3);
    const gaps = reader.integers(exactCount);
    let key = 0;
    const thresholds = Float64Array.from(reader.integers(count), (step, index) => {
      key += index || startsBelowZero ? -step : step;
      return sign * numberAt(key, digits) + 0; // + 0: no negative zero
    });
    const exact = reader.floats();
    gaps.reduce((before, gap, place) => {
      thresholds[before + gap] = sign * exact[place] + 0;
      return before + gap;
    }, 0);
    return thresholds;
  }

  /** The number at a position among all those of some significant digits. */
  function numberAt(key, digits) {
    if (key === 0) return 0;
    const position = Math.abs(key) - 1;
    const lowest = 10 ** (digits - 1);
    const mantissa = (position % (9 * lowest)) + lowest;
    const power = Math.floor(position / (9 * lowest)) + SMALLEST_EXPONENT - digits + 1;
    const size = Math.abs(power) > LARGEST_EXACT_POWER
      ? Number(`${mantissa}e${power}`)
      : power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power];
    return key < 0 ? -size : size;
  }

  /** Run a packed script: the page's security policy allows it by its hash. */
  async function run(packed) {
    const script = document.createElement("script");
    script.textContent = await unpack(packed);
    document.body.append(script);
  }

  const DECODERS = {
    text: (bytes) => new TextDecoder().decode(bytes),
    integers: decodeIntegers,
    floats: (bytes) => new Reader(bytes).floats(),
    json: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
    thresholds: decodeThresholds,
  };

  return { decode, run };
})();
