import { dirname } from 'node:path'
import { Fault, foreignJson, provider, type ProviderContext, type SettingsOf } from '../../../core/sdk/index.js'
import { programFault } from '../../_shared/program-fault.js'
import { subtitleVendors } from '../../subtitles/contract.js'
import { whisperCpp as vendor } from '../../_vendors/whisper-cpp.js'
import { audioVendors, speechVendors, type Answer, type Question } from '../contract.js'
import { assertVoiced, noSpeech } from '../no-speech.js'
import { inPieces } from '../pieces.js'
import { readWhisperCpp } from '../whisper-cpp-output.js'

type Settings = SettingsOf<typeof vendor>

const PIECES = { mostSeconds: 300, atOnce: 1 }
const LIMITS = { memoryMb: 4_096, diskMb: 64 }
const RESULT = 'result'
const RESULT_BYTES = 16 * 1024 * 1024

const whisperCpp = {
  vendor,
  rank: 80,
  needs: ['model'],
  run: async (question: Question, context: ProviderContext<Settings>): Promise<Answer> => {
    assertVoiced(question)
    const { model } = context.settings
    const { language } = question
    if (model === null) throw new Fault('broken', 'No model is set: set CAPSTAN_WHISPER_CPP_MODEL.')
    const answer = await inPieces(question, context, PIECES, async (file, { from, to }) => {
      const words = ['-m', model, '-l', language ?? 'auto', '-f', 'audio.wav', '-ojf', '-of', RESULT, '-np']
      const result = await context.exec('whisper-cli', words, {
        files: [{ name: 'audio.wav', data: file }],
        readOnly: [dirname(model)],
        collect: { maxFiles: 1, maxBytes: RESULT_BYTES },
        ...LIMITS,
      })
      if (result.code !== 0) throw runFault(result, context)
      // The exit code is 0 also when the language is unknown or the sound is unreadable.
      const made = result.files.find(({ name }) => name === `${RESULT}.json`)?.data
      if (made === undefined) throw new Fault('missing', 'whisper.cpp wrote nothing: it may not know the language.', { inconclusive: true })
      return readWhisperCpp(jsonOf(made), { duration: to - from, language })
    })
    if (answer === null) throw noSpeech(question)
    return answer
  },
}

export const whisperCppSpeech = provider(speechVendors, whisperCpp)
export const whisperCppAudio = provider(audioVendors, whisperCpp)
export const whisperCppSubtitles = provider(subtitleVendors, whisperCpp)

/**
 * Codes 1 to 4 and 10 are about arguments, model and processing (examples/cli/cli.cpp), not about the recording,
 * which was already decoded.
 */
function runFault(result: Parameters<typeof programFault>[0], context: ProviderContext<Settings>): Fault {
  if (result.code <= 10 && result.stopped === null)
    return new Fault('broken', 'whisper.cpp could not work: check its program and CAPSTAN_WHISPER_CPP_MODEL.', {
      internal: `code ${String(result.code)}: ${Buffer.from(result.stderr).toString('utf8').slice(-500)}`,
    })
  return programFault(result, { done: 'transcribed', refused: 'The recording cannot be read.', timeLeft: context.timeLeft() })
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return foreignJson(bytes)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Fault('broken', 'whisper.cpp wrote something that is not JSON.', { cause: error })
    throw error
  }
}
