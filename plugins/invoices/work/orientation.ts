const START = 0xffd8
const EXIF_MARKER = 0xffe1
const SCAN_MARKER = 0xffda
const ORIENTATION_TAG = 0x0112
const ENTRY_BYTES = 12
const MOST_ENTRIES = 200

/** Orientation of a JPEG, 1 to 8, from the EXIF data (2.32, 4.5.4) in its first bytes; 1 when absent. */
export default function orientation(head: Uint8Array): number {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const at16 = (at: number, little = false) => (at + 2 <= view.byteLength ? view.getUint16(at, little) : -1)
  if (at16(0) !== START) return 1
  for (let at = 2; at + 4 <= view.byteLength;) {
    const marker = at16(at)
    if (marker === EXIF_MARKER && Buffer.from(head.subarray(at + 4, at + 8)).toString('latin1') === 'Exif') return fromTiff(view, at + 10)
    if (marker === SCAN_MARKER || marker >> 8 !== 0xff) return 1
    at += 2 + at16(at + 2)
  }
  return 1
}

function fromTiff(view: DataView, base: number): number {
  if (base + 8 > view.byteLength) return 1
  const little = view.getUint16(base) === 0x4949
  const directory = base + view.getUint32(base + 4, little)
  if (directory + 2 > view.byteLength) return 1
  const count = Math.min(view.getUint16(directory, little), MOST_ENTRIES)
  for (
    let entry = directory + 2;
    entry < directory + 2 + count * ENTRY_BYTES && entry + ENTRY_BYTES <= view.byteLength;
    entry += ENTRY_BYTES
  ) {
    if (view.getUint16(entry, little) !== ORIENTATION_TAG) continue
    const value = view.getUint16(entry + 8, little)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}
