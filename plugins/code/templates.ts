import { Fault, type ProviderContext, type Resource } from '../../core/sdk/index.js'
import type { CodeInput, Language, Template } from './contract.js'

/** A dependency of a template's programs, beside their language: a command or a Python module, with its Debian package. */
interface Need {
  readonly kind: 'command' | 'module'
  readonly name: string
  readonly package: string
}

const modules = (packages: Readonly<Record<string, string>>): readonly Need[] =>
  Object.entries(packages).map(([name, from]) => ({ kind: 'module', name, package: from }))
const command = (name: string, from: string): readonly Need[] => [{ kind: 'command', name, package: from }]

const SCIENCE = modules({ numpy: 'python3-numpy', pandas: 'python3-pandas', matplotlib: 'python3-matplotlib' })
const WEB = modules({
  ...{ flask: 'python3-flask', jinja2: 'python3-jinja2', requests: 'python3-requests', bs4: 'python3-bs4', lxml: 'python3-lxml' },
})
const NODE = command('node', 'nodejs')
const VIDEO = command('ffmpeg', 'ffmpeg')

const TEMPLATES: Readonly<Record<Template, Readonly<Record<Language, readonly Need[]>>>> = {
  default: { python: [], javascript: [], shell: [] },
  'data-science': { python: SCIENCE, javascript: SCIENCE, shell: SCIENCE },
  'web-dev': { python: WEB, javascript: NODE, shell: NODE },
  video: { python: VIDEO, javascript: VIDEO, shell: VIDEO },
}

/** Where Debian installs Node modules, for the programs of web-dev. */
export const NODE_ENV = { NODE_PATH: '/usr/share/nodejs:/usr/lib/nodejs' }

/**
 * Templates whose dependencies were found here, with their language: they stay installed. Templates with missing ones
 * are checked again.
 */
const found: Resource<Set<string>> = { id: 'code.templates', open: () => Promise.resolve(new Set<string>()) }

/** Throws an unavailable `missing` Fault that names the missing dependencies of the template and the install command. */
export async function checkTemplate({ template, language }: CodeInput, context: Pick<ProviderContext, 'exec' | 'use'>): Promise<void> {
  const name = template ?? 'default'
  const needs = TEMPLATES[name][language]
  if (needs.length === 0) return
  const complete = await context.use(found)
  const key = `${name} ${language}`
  if (complete.has(key)) return
  const { code, stdout, stopped } = await context.exec('sh', ['-c', checkScript(needs)], { timeoutMs: 10_000 })
  if (stopped !== null || code !== 0) throw new Fault('busy', `Whether the template ${name} is available could not be found out in time.`)
  const lacks = new Set(Buffer.from(stdout).toString('utf8').split('\n').filter(Boolean))
  const packages = needs.filter((need) => lacks.has(need.name)).map((need) => need.package)
  if (packages.length === 0) return void complete.add(key)
  throw new Fault(
    'missing',
    `The template ${name} is not available here, it lacks ${[...lacks].join(', ')}: on the gateway's machine, apt-get install ${packages.join(' ')}`,
    { loc: ['template'], unavailable: true },
  )
}

/** A script that prints the names of missing dependencies, one per line. */
function checkScript(needs: readonly Need[]): string {
  const commands = needs.filter(({ kind }) => kind === 'command').map(({ name }) => `command -v ${name} >/dev/null || echo ${name}`)
  const names = needs.filter(({ kind }) => kind === 'module').map(({ name }) => name)
  if (names.length === 0) return commands.join('; ')
  const look = `import importlib.util as u, sys; print(*[name for name in sys.argv[1:] if u.find_spec(name) is None], sep=chr(10))`
  return [...commands, `python3 -c '${look}' ${names.join(' ')}`].join('; ')
}
