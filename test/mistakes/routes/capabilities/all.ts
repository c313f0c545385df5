import { codeMistakes } from './code.js'
import { companyMistakes } from './companies.js'
import { convertMistakes } from './convert.js'
import { documentMistakes } from './documents.js'
import { domainMistakes } from './domains.js'
import { emailMistakes } from './emails.js'
import { imageMistakes } from './images.js'
import { invoiceMistakes } from './invoices.js'
import { messageMistakes } from './messages.js'
import { pageMistakes } from './pages.js'
import { profileMistakes } from './profiles.js'
import { researchMistakes } from './research.js'
import { searchMistakes } from './search.js'
import { siteMistakes } from './sites.js'
import { recordingMistakes } from './recordings.js'
import { soundMistakes } from './sounds.js'
import { speechMistakes } from './speech.js'
import { videoMistakes } from './videos.js'

/** The mistakes with the bundled capabilities. */
export const capabilityMistakes = [
  ...codeMistakes,
  ...companyMistakes,
  ...convertMistakes,
  ...documentMistakes,
  ...domainMistakes,
  ...emailMistakes,
  ...imageMistakes,
  ...invoiceMistakes,
  ...messageMistakes,
  ...pageMistakes,
  ...profileMistakes,
  ...researchMistakes,
  ...searchMistakes,
  ...siteMistakes,
  ...recordingMistakes,
  ...soundMistakes,
  ...speechMistakes,
  ...videoMistakes,
]
