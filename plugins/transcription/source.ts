import { setImmediate as turn } from 'node:timers/promises'
import { Fault, type HandlerContext, type ScratchFile } from '../../core/sdk/index.js'
import { atField } from '../_shared/at-field.js'
import { audioPrepare, type Recording } from './contract.js'

/** Base64 characters processed in one turn of the event loop: removing white space from 34 MB takes seconds. */
const PIECE = 64 * 1024

type Services = Pick<HandlerContext, 'scratch' | 'call' | 'progress'>
type Source = { readonly audio_url: string } | { readonly audio_base64: string }

/** The caller's recording, decoded. Its errors are an `invalid` Fault at its field; a silent one is `missing`. */
export async function recordingOf(source: Source, context: Services): Promise<Recording> {
  const at =
    'audio_url' in source
      ? { loc: ['audio_url'], what: 'The recording at audio_url' }
      : { loc: ['audio_base64'], what: 'The recording in audio_base64' }
  context.progress('fetching')
  const file = await atField('audio_url' in source ? context.scratch.fetch(source.audio_url) : decoded(source.audio_base64, context), at)
  if (file.size === 0) throw new Fault('invalid', `${at.what} is empty.`, { loc: at.loc })
  const audio = await atField(context.call(audioPrepare, { file }), at)
  await context.scratch.remove(file)
  return audio
}

/** Base64 in any usual form: with line ends, or as a data: address (RFC 2397). */
async function decoded(text: string, { scratch }: Services): Promise<ScratchFile> {
  const comma = text.startsWith('data:') ? text.indexOf(',') : -1
  const content = comma === -1 ? text : text.slice(comma + 1)
  if (comma !== -1 && !text.slice(0, comma).endsWith(';base64')) throw new Fault('invalid', 'The data: address is not in Base64.')
  return await scratch.decode(await withoutSpace(content))
}

async function withoutSpace(text: string): Promise<string> {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += PIECE) {
    pieces.push(text.slice(at, at + PIECE).replace(/\s+/g, ''))
    await turn()
  }
  return pieces.join('')
}
