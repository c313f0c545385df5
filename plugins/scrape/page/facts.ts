import { Fault, type Services } from '../../../core/sdk/index.js'
import type { PageFacts } from '../facts-contract.js'
import type { FactsInput, FactsOutput } from '../work/facts.js'
import type { Got } from './html.js'
import { statusFault } from './status.js'
import { verdictFault } from './verdict.js'
import { bounded, inWorker } from './worker.js'

const FACTS = new URL('../work/facts.js', import.meta.url)

/** Reads what a document says of itself. Throws `blocked` for refusals, challenges, login pages and what is over a limit. */
export async function readFacts(context: Services, got: Got, asked: string): Promise<PageFacts> {
  const refused = statusFault(got.status)
  if (refused !== null) throw refused
  const input: FactsInput = { html: bounded(got.html), url: got.url, asked }
  const found = await inWorker<FactsOutput>(context, FACTS, input)
  if ('limit' in found) throw new Fault('blocked', found.limit)
  // A page without text still says of itself what it says in its head.
  if (found.verdict !== null && found.verdict.kind !== 'empty') throw verdictFault(found.verdict, false)
  return found.facts
}
