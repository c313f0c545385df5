import { Fault, type ProviderContext } from '../../../core/sdk/index.js'
import type { NamecheapReading } from '../work/namecheap.js'

const READER = new URL('../work/namecheap.js', import.meta.url)
const WORK = { timeoutMs: 5_000, heapMb: 256 }

/** Runs one command of Namecheap's API, for an account that allows the address `client_ip`. */
export async function namecheapAnswer(
  query: Readonly<Record<string, string>>,
  context: ProviderContext<{ readonly client_ip: string | null }>,
): Promise<NamecheapReading> {
  const text = await context.api.text({ path: '/xml.response', query: { ClientIp: context.settings.client_ip ?? '', ...query } })
  const reading = await context.work<NamecheapReading>(READER, text, WORK)
  if (!reading.understood) throw new Fault('broken', 'Namecheap answered in a form that was not understood.')
  return reading
}
