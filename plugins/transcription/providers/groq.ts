import { provider, type ProviderContext, type Static } from '../../../core/sdk/index.js'
import { subtitleVendors } from '../../subtitles/contract.js'
import { groq as vendor } from '../../_vendors/groq.js'
import { speechVendors, type Question } from '../contract.js'
import { settings } from '../settings.js'
import { whisperApi } from '../whisper-api.js'

type Settings = Static<typeof settings>

const groq = {
  vendor,
  settings,
  run: (question: Question, context: ProviderContext<Settings>) =>
    whisperApi(question, context, { model: context.settings.groq_model, verbose: true }),
}

export const groqSpeech = provider(speechVendors, { ...groq, rank: 30 })
export const groqSubtitles = provider(subtitleVendors, { ...groq, rank: 50 })
