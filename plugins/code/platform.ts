import { randomUUID } from 'node:crypto'
import { Fault, type ExecOptions, type ExecResult, type ProviderContext, type Resource } from '../../core/sdk/index.js'
import { bundleFiles } from './bundle.js'
import type { Language } from './contract.js'
import { toolFailed } from './local.js'
import { commandOf, fileOf } from './program.js'

/**
 * In the order of preference: old versions have no systrap, and ptrace is slow. Not kvm, which hangs instead of
 * failing without hardware support (https://gvisor.dev/docs/architecture_guide/platforms/).
 */
const TRIED = ['systrap', 'ptrace'] as const
/** A working platform runs `true` in well under a second. */
const PROBE_MS = 5_000

type Platform = (typeof TRIED)[number] | 'kvm'

/** Cached facts about runsc on this machine, until its settings change. */
interface RunscState {
  works: Platform | null
  /** The search in progress: concurrent calls wait for it. */
  search: Promise<Platform> | null
}

const runscState: Resource<RunscState> = { id: 'code.runsc', open: () => Promise.resolve({ works: null, search: null }) }

/** Start options of runsc. */
interface RunscSettings {
  readonly platform: Platform | 'auto'
  readonly state: string | null
}

type Context = Pick<ProviderContext<RunscSettings>, 'exec' | 'settings' | 'use' | 'log'>

/** Runs one of the languages' programs with runsc on a platform; `options` are those of `exec`. */
export async function runsc(language: Language, platform: Platform, context: Context, options: ExecOptions): Promise<ExecResult> {
  const root = process.geteuid?.() === 0
  const { state } = context.settings
  const flags = [
    '--network=none',
    '--overlay2=none',
    `--platform=${platform}`,
    ...(state === null ? [] : [`--root=${state}`]),
    ...(root ? [] : ['--rootless', '--ignore-cgroups']),
  ]
  return await context.exec('runsc', [...flags, 'run', `capstan-${randomUUID()}`], {
    ...options,
    isolation: 'external',
    toolFiles: (view) => bundleFiles(language, { root, view: view(commandOf(language).program) }),
  })
}

/** The configured platform; with `auto` the first on which a program runs, determined once. Throws Fault `broken` when there is none. */
export async function platformOf(context: Context): Promise<Platform> {
  const { platform } = context.settings
  if (platform !== 'auto') return platform
  const state = await context.use(runscState)
  // A search in progress may have ended with the call that started it.
  if (state.search !== null) await state.search.catch(() => undefined)
  if (state.works !== null) return state.works
  const search = searched(context).finally(() => (state.search = null))
  state.search = search
  return (state.works = await search)
}

async function searched(context: Context): Promise<Platform> {
  const words: string[] = []
  for (const tried of TRIED) {
    const result = await runsc('shell', tried, context, {
      files: [{ name: fileOf('shell'), data: Buffer.from('true') }],
      timeoutMs: PROBE_MS,
    })
    if (result.stopped === 'aborted') throw new Fault('busy', 'The call was over before a platform for gVisor was found.')
    if (result.code === 0 && !toolFailed(result)) {
      context.log('gVisor works here', { platform: tried })
      return tried
    }
    words.push(`${tried}: ${Buffer.from(result.stderr).toString('utf8').trim().slice(-300)}`)
  }
  throw new Fault('broken', 'gVisor works on none of its platforms here.', { internal: words.join('; ') })
}
