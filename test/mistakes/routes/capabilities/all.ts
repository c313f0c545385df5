import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../../core/runtime/root.js'
import { body, operation, type Attempt } from '../attempt.js'
import { codeMistakes } from './code.js'
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
  ...mistakesOfPlugins(join(packageRoot(), 'plugins')),
]

/** A body, and words that the answer to it has. */
type Written = readonly [unknown, ...string[]]

/** The mistakes that plugins have in a `mistakes.json` of their own: bodies that do not fit, by operation. */
function mistakesOfPlugins(folder: string): Attempt[] {
  const files = readdirSync(folder).map((name) => join(folder, name, 'mistakes.json'))
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const written = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly Written[]>>
      return Object.entries(written).flatMap(([of, rows]) => operation(of, ...rows.map(([value, ...says]) => body(value, ...says))))
    })
}
