import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { openaiCompatible as vendor } from '../../_vendors/openai-compatible.js'
import { speechVendors } from '../contract.js'
import { settings } from '../settings.js'
import { joined, mono, type Part } from '../sound/join.js'
import { MOST_BYTES, spoken } from '../sound/spoken.js'
import { readWav, writeWav } from '../sound/wav.js'
import { chunks, type Sentence } from '../text/sentences.js'
import { REMOTE_MS } from '../times.js'
import { fits, vendorsOf } from '../voices/forms.js'

const isOwn = (baseUrl: string): boolean => baseUrl !== vendor.baseUrl

/** Models and voices of the operator's server may have any name that is not another vendor's. */
export const openai = provider(speechVendors, {
  vendor,
  settings,
  rank: 20,
  timeoutMs: REMOTE_MS,
  serves: (input, { baseUrl }) => {
    if (!isOwn(baseUrl)) return fits(vendor.id, input)
    const names = [input.voice_model, input.voice_id].flatMap((name) => name ?? [])
    return input.named || names.every((name) => vendorsOf(name).every((owner) => owner === vendor.id))
  },
  run: async ({ text, language, voice_model, voice_id }, ctx) => {
    const model = voice_model ?? ctx.settings.openai_model
    const voice = voice_id ?? ctx.settings.openai_voice
    const pieces = chunks(text, { language, most: ctx.settings.openai_characters })
    const { openai_format: wanted } = ctx.settings
    const usual = wanted === 'auto' ? (isOwn(ctx.baseUrl) ? 'wav' : 'mp3') : wanted
    // Sounds to be joined must be PCM.
    const form = pieces.length > 1 ? 'wav' : usual
    const files: ScratchFile[] = []
    for (const piece of pieces)
      files.push(await ask(ctx, { model, input: piece.text, voice: named(voice), response_format: form }, voice_model !== null))
    const [first] = files
    if (first === undefined) return null
    const whole = files.length === 1 ? first : await inOne(ctx, files, pieces)
    return await spoken(ctx, whole, { voice_model: model, by: 'vendor' })
  },
})

/** An account's own voice is specified by an object. */
function named(voice: string): string | { readonly id: string } {
  return voice.startsWith('voice_') ? { id: voice } : voice
}

/** `chosen`: the caller named the model, so an unknown one is not the server's fault. */
async function ask({ api }: Pick<ProviderContext, 'api'>, json: unknown, chosen: boolean): Promise<ScratchFile> {
  const call = { method: 'POST', path: '/audio/speech', json } as const
  const { file } = await api.file(call, { kinds: ['audio/*'] }).catch((error: unknown) => {
    if (!Fault.is(error) || error.status === undefined) throw error
    if (error.status === 400 || error.status === 422)
      throw new Fault('invalid', 'The speech server refused the text, the model or the voice.', { status: error.status, cause: error })
    if (error.status === 404 && chosen)
      throw new Fault('invalid', 'The speech server has no such model.', { loc: ['voice_model'], status: 404, cause: error })
    if (error.status === 404)
      throw new Fault('broken', 'The speech server has no such model or path: check plugins.speech.openai_model and the address.', {
        status: 404,
        cause: error,
      })
    throw error
  })
  return file
}

/** Joins several sounds into one, as WAV. Throws `broken` for sounds that cannot be joined. */
async function inOne(
  { scratch }: Pick<ProviderContext, 'scratch'>,
  files: readonly ScratchFile[],
  pieces: readonly Sentence[],
): Promise<ScratchFile> {
  const parts: Part[] = []
  for (const [at, file] of files.entries()) {
    const wav = readWav(await scratch.bytes(file, MOST_BYTES))
    if (wav === null || wav.rate !== (parts[0]?.rate ?? wav.rate))
      throw new Fault('broken', 'The speech server did not answer with WAV of one rate.')
    parts.push({ ...mono(wav), endsParagraph: pieces[at]?.endsParagraph ?? false })
    await scratch.remove(file)
  }
  return await scratch.write(writeWav(joined(parts)))
}
