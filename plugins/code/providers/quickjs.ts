import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { quickjs as vendor } from '../../_vendors/quickjs.js'
import { execute, type CodeInput, type CodeOutput } from '../contract.js'
import { SharedOutput } from '../guest/output.js'
import { textOf } from '../program.js'
import { answer, STREAM_BYTES } from '../result.js'
import type { GuestEnd, GuestInput } from '../work/quickjs.js'

const MODULE = new URL('../work/quickjs.js', import.meta.url)
/** Time for the engine to stop by itself before its thread is killed. */
const GRACE_MS = 1000
/** JavaScript objects of the thread itself, outside the engine. */
const HEAP_MB = 96

/** JavaScript without files, network and packages, in its own engine in a thread that can be killed. */
export const quickjs = provider(execute, {
  vendor,
  rank: 90,
  serves: ({ language, template, input_files, packages }) =>
    language === 'javascript' && (template === null || template === 'default') && input_files.length === 0 && packages.length === 0,
  run: async (input, context) => {
    const memoryMb = context.settings.memory_mb
    const shared = new SharedOutput({ max: STREAM_BYTES })
    const requestedAt = Date.now()
    const end = await run({ code: textOf(input), timeoutMs: input.timeout * 1000, memoryMb, output: shared.memory }, shared, context)
    context.note('This ran in QuickJS: the JavaScript language without the Node API (no require, no process, no files, no network).')
    return await output(end, { requestedAt, memoryMb, shared, input, context })
  },
})

async function run(guest: GuestInput, shared: SharedOutput, context: ProviderContext): Promise<GuestEnd> {
  try {
    return await context.work<GuestEnd>(MODULE, guest, { timeoutMs: guest.timeoutMs + GRACE_MS, heapMb: HEAP_MB })
  } catch (error) {
    const ran = shared.startedAt === 0 ? 0 : Date.now() - shared.startedAt
    // Some built-ins of the engine never check the clock; then the thread was killed. The output is still available.
    if (ran >= guest.timeoutMs && !context.signal.aborted) return { code: 1, stopped: 'time', runMs: ran }
    throw Fault.is(error) ? error : new Fault('broken', 'the JavaScript engine failed', { cause: error })
  }
}

interface Ended {
  readonly requestedAt: number
  readonly memoryMb: number
  readonly shared: SharedOutput
  readonly input: CodeInput
  readonly context: ProviderContext
}

function output({ code, stopped, runMs }: GuestEnd, { requestedAt, memoryMb, shared, input, context }: Ended): Promise<CodeOutput> {
  const [stdout, stderr] = [shared.read(1), shared.read(2)]
  const bootMs = Math.max(0, shared.startedAt - requestedAt)
  return answer(
    { stdout: stdout.bytes, stdoutCut: stdout.cut, stderr: stderr.bytes, stderrCut: stderr.cut, code, stopped, memoryMb, runMs, bootMs },
    input,
    context,
  )
}
