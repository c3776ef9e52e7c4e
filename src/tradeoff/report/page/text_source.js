/* Text of a file in chunks, in the encoding that its first bytes show, as in sources/text_encoding.py. */
const TextSource = (() => {
  "use strict";

  const SAMPLE_BYTES = 1 << 20;
  const MAX_BYTES = 500_000_000;
  const [UTF_8, WESTERN] = ["utf-8", "windows-1252"];
  const MARKS = [[[0xef, 0xbb, 0xbf], UTF_8], [[0xff, 0xfe, 0, 0], "utf-32"], [[0, 0, 0xfe, 0xff], "utf-32"], [[0xff, 0xfe], "utf-16le"], [[0xfe, 0xff], "utf-16be"]];
  const UNUSED_IN_WESTERN = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
  const LETTERS_OF_OTHER_ALPHABETS = /[À-ÿŠŒŽšœžŸƒ]{3}/; // Western European words have no three in a row
  const OTHER_FORMATS = [
    [[0x50, 0x4b, 3, 4], "a spreadsheet or an archive: save the table as a CSV file, or copy its cells and paste them"],
    [[0xd0, 0xcf, 0x11, 0xe0], "a spreadsheet: save the table as a CSV file, or copy its cells and paste them"],
    [[0x1f, 0x8b], "compressed: decompress it first"],
    [[0x50, 0x41, 0x52, 0x31], "a Parquet file: save the table as a CSV file"],
    [[0x25, 0x50, 0x44, 0x46], "a PDF document: save the table as a CSV file"],
  ];

  /** A problem with a file, in a sentence for the reader. */
  class FileProblem extends Error {}

  const startsWith = (bytes, mark) => mark.every((byte, index) => bytes[index] === byte);

  /** A file or pasted text, and its encoding. */
  async function open(blob, title) {
    if (blob.size === 0) throw new FileProblem(`${title} is empty.`);
    if (blob.size > MAX_BYTES) {
      throw new FileProblem(`${title} has ${megabytes(blob.size)}; this page reads up to ${megabytes(MAX_BYTES)}. \`tradeoff report\` writes the same page from a file of any size.`);
    }
    let sample;
    try {
      sample = new Uint8Array(await blob.slice(0, SAMPLE_BYTES).arrayBuffer());
    } catch {
      throw new FileProblem(`${title} cannot be read: choose a file, not a folder.`);
    }
    const format = OTHER_FORMATS.find(([mark]) => startsWith(sample, mark));
    if (format) throw new FileProblem(`${title} is ${format[1]}.`);
    return { blob, title, encoding: encodingOf(sample, sample.length < blob.size, title) };
  }

  const megabytes = (bytes) => `${Numbers.count(Math.ceil(bytes / 1e6))} MB`;

  /** The encoding of a byte order mark, else the one that the first bytes suggest. */
  function encodingOf(sample, isCut, title) {
    const marked = MARKS.find(([mark]) => startsWith(sample, mark));
    if (marked?.[1] === "utf-32") throw new FileProblem(`${title} is in UTF-32: save it in UTF-8.`);
    if (marked) return marked[1];
    if (sample.includes(0)) return utf16WithoutMark(sample, title);
    if (isEncodedAs(UTF_8, sample, isCut)) return UTF_8;
    const isWestern = !sample.some((byte) => UNUSED_IN_WESTERN.includes(byte));
    if (isWestern && !LETTERS_OF_OTHER_ALPHABETS.test(new TextDecoder(WESTERN).decode(sample))) return WESTERN;
    throw new FileProblem(`${title} is not encoded in UTF-8: save it in UTF-8.`);
  }

  /** UTF-16 in the byte order that its many ASCII characters show. */
  function utf16WithoutMark(sample, title) {
    const zeros = [0, 0];
    sample.forEach((byte, index) => { if (byte === 0) zeros[index % 2] += 1; });
    const pairs = Math.max(sample.length >> 1, 1);
    if (zeros[1] > 0.5 * pairs && !zeros[0]) return "utf-16le";
    if (zeros[0] > 0.5 * pairs && !zeros[1]) return "utf-16be";
    throw new FileProblem(`${title} is not a text file: it contains zero bytes.`);
  }

  /** Whether bytes are valid in an encoding; a character at a cut may be incomplete. */
  function isEncodedAs(encoding, sample, isCut) {
    try {
      new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: isCut });
      return true;
    } catch {
      return false;
    }
  }

  /** The text in chunks; `onProgress` receives the share of the bytes that have been read. */
  async function* chunks({ blob, title, encoding }, onProgress) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const reader = blob.stream().getReader();
    let bytes = 0;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        bytes += value?.byteLength ?? 0;
        yield decode(decoder, value, done, title);
        if (done) return;
        onProgress?.(bytes / blob.size);
      }
    } finally {
      reader.cancel();
    }
  }

  function decode(decoder, bytes, isLast, title) {
    try {
      return isLast ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new FileProblem(`${title} is not encoded in ${decoder.encoding.toUpperCase()} throughout: save it in UTF-8.`);
    }
  }

  return { FileProblem, chunks, open };
})();
