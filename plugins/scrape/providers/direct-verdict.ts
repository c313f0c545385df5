import { Fault, provider } from '../../../core/sdk/index.js'
import { direct as vendor } from '../../_vendors/direct.js'
import { inWorker } from '../page/worker.js'
import { pageVerdict } from '../verdict-contract.js'
import type { VerdictOutput } from '../work/verdict.js'

const VERDICT = new URL('../work/verdict.js', import.meta.url)

export const direct = provider(pageVerdict, {
  vendor,
  timeoutMs: 12_000,
  run: async (input, context) => {
    const found = await inWorker<VerdictOutput>(context, VERDICT, input)
    if ('limit' in found) throw new Fault('blocked', found.limit)
    return { verdict: found.verdict, captcha: found.captcha }
  },
})
