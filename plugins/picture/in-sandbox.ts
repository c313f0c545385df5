import { Fault, type ScratchFile, type Services } from '../../core/sdk/index.js'
import { LIMITS } from './limits.js'

interface Work {
  /** The module of `parse/` that runs. */
  readonly module: URL
  readonly files: readonly ScratchFile[]
  readonly args: unknown
  /** Time limit. */
  readonly seconds?: number
}

/** Runs a module on pictures in the sandbox. Throws Fault `invalid` for a file over a limit, including time and memory. */
export async function inSandbox<T>(
  context: Services,
  { module, files, args, seconds = LIMITS.seconds }: Work,
): Promise<{ readonly result: T; readonly file: ScratchFile | null }> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > LIMITS.bytes) throw new Fault('invalid', `The file is larger than ${LIMITS.bytes} bytes.`)
  const { memoryMb, bytes: maxBytes } = LIMITS
  try {
    return await context.parseFiles<T>(module, files, { timeoutMs: (seconds + 1) * 1000, memoryMb, args, maxBytes })
  } catch (error) {
    // Damage to the sandboxed process is the file's fault: no other provider reads it differently.
    if (Fault.is(error) && error.kind === 'blocked')
      throw new Fault('invalid', `The picture takes more than the ${seconds} seconds and ${memoryMb} MiB that a picture may.`, {
        internal: error.message,
        cause: error,
        costly: error.costly,
      })
    throw error
  }
}
