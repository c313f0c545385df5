import { prepareHost, type SandboxHost, type SandboxOptions } from './host.js'
import { existsSync } from 'node:fs'
import type { Cancel } from '../runtime/cancel.js'
import { Problem } from '../problems/problem.js'
import { type ExecOptions, type ExecResult, Fault } from '../sdk/index.js'
import { type Launcher, makeLauncher } from './launcher.js'
import { runExternal } from './external-isolation.js'
import { ParsePool } from './parse.js'
import type { Sandbox, SandboxStatus } from './types.js'
import { takePlace } from '../problems/no-place.js'
import { findProgram } from './programs.js'
import { runJob } from './run.js'
import { checkSandbox } from './self-check.js'
import { startResident } from './resident.js'
import { sweep } from './sweep.js'
import { checkWarmOptions, WarmPool } from './warm-pool.js'
import { Unavailable } from '../problems/errors.js'

type AccountGuardOptions = Pick<SandboxHost, 'clock' | 'withoutGroups' | 'enabledAccounts'>

const FRESH_MS = 1000

const REFUSAL =
  'without a control group the memory of programs is not fully limited, and more than one account is enabled: give the gateway a delegated control group (systemd Delegate=yes, or root), or set sandbox.without_groups to allow'

/**
 * The reason why a caller's program without a memory limit must not run now, naming the setting; null when it may. With more than one
 * account enabled one account's program could use the memory of all, so providers without programs are used instead. Counts at most once
 * a second, unless `fresh`.
 */
function accountRefusal({
  clock,
  withoutGroups = 'allow',
  enabledAccounts,
}: AccountGuardOptions): (fresh?: boolean) => Promise<string | null> {
  if (withoutGroups === 'allow' || enabledAccounts === undefined) return () => Promise.resolve(null)
  let counted: { readonly at: number; readonly number: Promise<number> } | null = null
  return async (fresh = false) => {
    const now = clock.monotonic()
    if (fresh || counted === null || now - counted.at >= FRESH_MS) {
      const latest = { at: now, number: enabledAccounts() }
      counted = latest
      latest.number.catch(() => {
        if (counted === latest) counted = null
      })
    }
    return (await counted.number) <= 1 ? null : REFUSAL
  }
}

const RECHECK_MS = 30_000

/** The sandbox of this machine. Without bubblewrap it reports status and programs, and refuses to run anything. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const program = (name: string): string | undefined => findProgram(name, options.programs(name))
  const host = prepareHost(options, program('bwrap'))
  const refusal = accountRefusal(options)
  const checkAccounts = async (): Promise<void> => {
    const reason = await refusal()
    if (reason !== null) throw new Unavailable('sandbox', reason)
  }
  if (typeof host === 'string') return absent({ why: host, program, refusal, checkAccounts }, options)
  const groupless = !host.groups.controllers.has('memory')
  const parser = new ParsePool(host)
  const warmPool = new WarmPool(host)
  const launchers = new Set<Launcher>()
  const running = new Set<Promise<unknown>>()
  let checked: { readonly at: number; readonly status: Promise<SandboxStatus> } | null = null
  const swept = sweep(host)

  const check = async (): Promise<SandboxStatus> => {
    try {
      await swept
      return await checkSandbox(host)
    } catch (error) {
      return { live: false, detail: `the self-check failed: ${String(error)}`, checks: [] }
    }
  }
  // A failed check is repeated later: the machine may have been overloaded.
  const status = async (): Promise<SandboxStatus> => {
    const now = options.clock.monotonic()
    checked ??= { at: now, status: check() }
    const found = await checked.status
    if (!found.live && now - checked.at > RECHECK_MS) checked = { at: now, status: check() }
    return checked.status
  }
  const assertLive = async (): Promise<void> => {
    const { live, detail } = await status()
    if (!live) throw new Fault('broken', 'the sandbox is not available', { internal: detail })
  }
  const inSlot = async <T>(cancel: Cancel, work: () => Promise<T>): Promise<T> => {
    await assertLive()
    const release = await takePlace(host.places, cancel, 'program')
    let job: Promise<T> | null = null
    try {
      job = work()
      running.add(job)
      return await job
    } catch (error) {
      if (Fault.is(error) || error instanceof Problem) throw error
      throw new Fault('broken', 'the sandbox failed', { internal: String(error), cause: error })
    } finally {
      if (job !== null) running.delete(job)
      release()
    }
  }
  const path = (name: string): string => {
    const found = program(name)
    if (found === undefined)
      throw new Fault('broken', `the program ${name} is not installed`, {
        internal: `set CAPSTAN_PROGRAM_${name.toUpperCase()} to its path`,
      })
    return found
  }

  return {
    status,
    program,
    refusal: async (external) => (external || groupless ? await refusal(true) : null),
    run: async (name: string, args: readonly string[], how: ExecOptions, cancel: Cancel): Promise<ExecResult> => {
      if (how.isolation === 'external' ? how.memoryUnbounded === true : groupless) await checkAccounts()
      if (how.isolation === 'external') return await runExternal(options, { program: path(name), args }, how, cancel)
      const command = { program: path(name), args }
      const { warm } = how
      if (warm === undefined) return await inSlot(cancel, () => runJob(host, command, how, cancel))
      const job = { warm, path: path(warm.program), command }
      checkWarmOptions(job, how)
      return await inSlot(cancel, () => warmPool.run(job, how, cancel))
    },
    launcher: async (name, how) => {
      await assertLive()
      // A launcher whose folder was deleted belongs to a closed resource.
      for (const old of launchers) if (!existsSync(old.path) && launchers.delete(old)) old.close()
      const launcher = await makeLauncher(host, path(name), how)
      launchers.add(launcher)
      return launcher.path
    },
    start: async (name, args, how = {}) => {
      await assertLive()
      return startResident(host, { program: path(name), args }, how)
    },
    parse: (module, bytes, how, cancel) => inSlot(cancel, () => parser.parse(module, bytes, how, cancel)),
    parseFiles: (module, files, how, cancel) => inSlot(cancel, () => parser.parseFiles(module, files, how, cancel)),
    close: async () => {
      parser.close()
      // A running check has its own programs and files.
      await Promise.allSettled([...running, checked?.status])
      await warmPool.close()
      for (const launcher of launchers) launcher.close()
      await Promise.all(host.ending)
    },
  }
}

interface Absence extends Pick<Sandbox, 'program'> {
  readonly why: string
  readonly refusal: (fresh?: boolean) => Promise<string | null>
  readonly checkAccounts: () => Promise<void>
}

/** An unavailable sandbox, which reports why. */
function absent({ why, program, refusal, checkAccounts }: Absence, options: SandboxOptions): Sandbox {
  const refuse = (): Promise<never> => Promise.reject(new Fault('broken', 'the sandbox is not available', { internal: why }))
  return {
    status: () => Promise.resolve({ live: false, detail: why, checks: [] }),
    program,
    refusal: () => refusal(true),
    run: async (name, args, how, cancel) => {
      const found = program(name)
      if (how.isolation !== 'external' || found === undefined) return await refuse()
      if (how.memoryUnbounded === true) await checkAccounts()
      return await runExternal(options, { program: found, args }, how, cancel)
    },
    launcher: refuse,
    start: refuse,
    parse: refuse,
    parseFiles: refuse,
    close: () => Promise.resolve(),
  }
}
