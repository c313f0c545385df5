import type { Static } from '../../../core/sdk/index.js'
import type { pageFacts } from '../../scrape/contract.js'

export type PageFacts = Static<typeof pageFacts.output>
