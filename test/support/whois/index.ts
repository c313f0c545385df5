import { asianSamples } from './asia.js'
import { easternSamples } from './east.js'
import { fartherSamples } from './farther.js'
import { unlistedForms } from './forms.js'
import { furtherSamples } from './further.js'
import { icannSamples } from './icann.js'
import { islandSamples } from './islands.js'
import { centralSamples } from './middle.js'
import { northernSamples } from './north.js'
import { southernSamples } from './south.js'
import { westernSamples } from './west.js'
import { otherSamples } from './world.js'
import type { WhoisSample } from './facts.js'

export type { WhoisFacts, WhoisSample } from './facts.js'

/**
 * Answers of WHOIS servers, made up after the forms that these servers use, each with what is true of it: records, names that nobody has or
 * may have, refusals of a client that queries too often, and answers that say nothing.
 */
export function whoisSamples(): readonly WhoisSample[] {
  return [
    ...icannSamples(),
    ...westernSamples(),
    ...centralSamples(),
    ...northernSamples(),
    ...easternSamples(),
    ...asianSamples(),
    ...otherSamples(),
    ...furtherSamples(),
    ...fartherSamples(),
    ...southernSamples(),
    ...islandSamples(),
    ...unlistedForms(),
  ]
}
