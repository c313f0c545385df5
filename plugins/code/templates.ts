import { Fault, type ProviderContext } from '../../core/sdk/index.js'
import { bubblewrap } from '../_vendors/bubblewrap.js'
import type { CodeInput, Language, Template } from './contract.js'

/** What programs of a template count on, beside their language. */
interface Needs {
  readonly commands?: readonly string[]
  /** Python modules that can be imported. */
  readonly modules?: readonly string[]
  /** Debian packages that bring them. */
  readonly packages: string
}

const {
  'template data-science of code.execute': science,
  'template web-dev of code.execute': web,
  'template video of code.execute': video,
} = bubblewrap.extras
const SCIENCE: Needs = { modules: ['numpy', 'pandas', 'matplotlib'], packages: science.packages }
const WEB: Needs = { modules: ['flask', 'jinja2', 'requests', 'bs4', 'lxml'], packages: web.packages }
const NODE: Needs = { commands: ['node'], packages: 'nodejs' }
const VIDEO: Needs = { commands: ['ffmpeg'], packages: video.packages }

const TEMPLATES: Readonly<Record<Template, Readonly<Record<Language, Needs | null>>>> = {
  default: { python: null, javascript: null, shell: null },
  'data-science': { python: SCIENCE, javascript: SCIENCE, shell: SCIENCE },
  'web-dev': { python: WEB, javascript: NODE, shell: NODE },
  video: { python: VIDEO, javascript: VIDEO, shell: VIDEO },
}

/** Where Debian's packages of Node modules lie, for the programs of web-dev. */
export const NODE_ENV = { NODE_PATH: '/usr/share/nodejs:/usr/lib/nodejs' }

/** Throws a `missing` Fault that names the packages, when programs of the template would not find here what they count on. */
export async function checkTemplate({ template, language }: CodeInput, context: Pick<ProviderContext, 'exec'>): Promise<void> {
  const needs = TEMPLATES[template ?? 'default'][language]
  if (needs === null) return
  const { commands = [], modules = [], packages } = needs
  const tests = [
    ...commands.map((command) => `command -v ${command} >/dev/null`),
    ...(modules.length === 0
      ? []
      : [`python3 -c "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, ${tuple(modules)})))"`]),
  ]
  const { code } = await context.exec('sh', ['-c', tests.join(' && ')], { timeoutMs: 10_000 })
  if (code === 0) return
  throw new Fault('missing', `The template ${template ?? 'default'} needs on the gateway's machine: apt-get install ${packages}`, {
    loc: ['template'],
  })
}

function tuple(names: readonly string[]): string {
  return `(${names.map((name) => `'${name}',`).join(' ')})`
}
