import type { Scratch, ScratchFile } from '../../core/sdk/index.js'

/** Placeholder for the file in the JSON. */
const PLACE = 'f1d0a5e2-the-file'
/** Base64 encodes three bytes as four characters. */
const GROUP = 3

/**
 * Writes JSON with an embedded file, as a file of the call: `of` gets the placeholder of the file's Base64 and
 * returns the value. Neither the file nor its Base64 is ever held in memory as a whole. Faults as `scratch.write`.
 */
export async function jsonWithFile(
  file: ScratchFile,
  scratch: Pick<Scratch, 'read' | 'write'>,
  of: (content: string) => unknown,
): Promise<ScratchFile> {
  const [before = '', after = ''] = JSON.stringify(of(PLACE)).split(PLACE)
  return await scratch.write(pieces(before, scratch.read(file), after))
}

async function* pieces(before: string, bytes: AsyncIterable<Uint8Array>, after: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(before)
  let rest = Buffer.alloc(0)
  for await (const piece of bytes) {
    const all = Buffer.concat([rest, piece])
    const whole = all.length - (all.length % GROUP)
    yield Buffer.from(all.toString('base64', 0, whole))
    rest = all.subarray(whole)
  }
  yield Buffer.from(rest.toString('base64') + after)
}
