import { Fault, type Services } from '../../../core/sdk/index.js'
import type { PageFacts } from '../facts-contract.js'
import type { FactsInput, FactsOutput } from '../work/facts.js'
import type { Got } from './html.js'
import { statusFault } from './status.js'
import { verdictFault } from './verdict.js'
import { bounded, inWorker } from './worker.js'

const FACTS = new URL('../work/facts.js', import.meta.url)

/** Reads the metadata of a document. Throws `blocked` for refusals, challenges, login pages and exceeded limits. */
export async function readFacts(context: Services, got: Got, asked: string): Promise<PageFacts> {
  const refused = statusFault(got.status)
  if (refused !== null) throw refused
  const input: FactsInput = { html: bounded(got.html), url: got.url, asked }
  const found = await inWorker<FactsOutput>(context, FACTS, input)
  if ('limit' in found) throw new Fault('blocked', found.limit)
  // A page without text still has metadata in its head.
  if (found.verdict !== null && found.verdict.kind !== 'empty') throw verdictFault(found.verdict, false)
  return found.facts
}
