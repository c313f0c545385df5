import { type Definition, definitionList, type Settings } from '../../config/default.js'
import type { ConfigProblem } from '../problems/errors.js'
import { isRecord } from '../sdk/json.js'
import { convert, expectation, pasteFault } from './convert.js'
import { describe, type Located, type LocatedText } from './located.js'
import { masked } from './mask.js'
import { absolute, type Folders, pluginFolder } from './paths.js'
import type { Variables } from './variables.js'

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
/** Least characters of an admin token: fewer can be guessed. */
const TOKEN_LENGTH = 16

/** Problems of the combined listener settings; `places`: where each was given. */
function listenerProblems({ server }: Settings, places: ReadonlyMap<string, string>): ConfigProblem[] {
  return [...portProblems(server, places), ...tokenProblems(server, places)]
}

/** Both listeners on one port. */
function portProblems({ host, port, admin_host, admin_port }: Settings['server'], places: ReadonlyMap<string, string>): ConfigProblem[] {
  const isShared = host === admin_host || EVERYWHERE.has(host) || EVERYWHERE.has(admin_host)
  if (admin_port === null || port !== admin_port || port === 0 || !isShared) return []
  const where = places.get('server.admin_port') ?? 'server.admin_port'
  const message = `server.admin_port must be another port than server.port, not ${admin_port} as well`
  return [{ where, message, level: 'error' }]
}

/** A short admin token: an error where other machines can reach the admin API, directly or through a local proxy, else a warning. */
function tokenProblems(server: Settings['server'], places: ReadonlyMap<string, string>): ConfigProblem[] {
  const { admin_token: token, admin_api, host, admin_host, trusted_proxies } = server
  if (token === null || token.length >= TOKEN_LENGTH) return []
  const isPublic = admin_api === 'public'
  const isReachable = !isLoopback(isPublic ? host : admin_host) || (isPublic && trusted_proxies.length > 0)
  const where = places.get('server.admin_token') ?? 'server.admin_token'
  const message = `server.admin_token has ${token.length} characters and can be guessed: make it at least ${TOKEN_LENGTH}, for example with openssl rand -hex 24`
  return [{ where, message, level: isReachable ? 'error' : 'warning' }]
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** The source of a setting's value. */
type Source = 'default' | 'file' | 'variable'

type Value = Definition['default']
type NamedSetting = Definition & { readonly name: string }

/** The core's settings with their sources and problems. */
export interface ReadSettings {
  /** Null when a setting is invalid. */
  readonly settings: Settings | null
  readonly sources: ReadonlyMap<string, Source>
  readonly values: ReadonlyMap<string, Value>
  /** Locations of non-default values: the place in the file, or the variable. */
  readonly places: ReadonlyMap<string, string>
  readonly problems: readonly ConfigProblem[]
  /** Problems that do not prevent a start. */
  readonly warnings: readonly ConfigProblem[]
}

/** Reads every setting: variable before file before default. Both are checked, so that no fault is hidden. */
export function readSettings(written: ReadonlyMap<string, Located>, env: Variables, folders: Folders): ReadSettings {
  const problems: ConfigProblem[] = []
  const sources = new Map<string, Source>()
  const values = new Map<string, Value>()
  const places = new Map<string, string>()
  for (const definition of definitionList) {
    const given = env.get(definition.variable ?? '')
    const fromFile = fileValue(definition, written.get(definition.name), problems)
    const fromVariable = given === undefined ? undefined : variableValue(definition, given, problems)
    const source = fromVariable !== undefined ? 'variable' : fromFile !== undefined ? 'file' : 'default'
    sources.set(definition.name, source)
    if (source === 'variable') places.set(definition.name, definition.variable ?? definition.name)
    else if (source === 'file') places.set(definition.name, written.get(definition.name)?.where ?? definition.name)
    values.set(
      definition.name,
      located(definition, fromVariable ?? fromFile ?? definition.default, {
        folder: folders[source],
        cwd: folders.variable,
        data: values.get('data'),
      }),
    )
  }
  const settings = nested(values)
  const ofListeners = isSettings(settings) ? listenerProblems(settings, places) : []
  const warnings = ofListeners.filter(({ level }) => level === 'warning')
  problems.push(...ofListeners.filter(({ level }) => level === 'error'))
  return { settings: problems.length === 0 && isSettings(settings) ? settings : null, sources, values, places, problems, warnings }
}

function variableValue(definition: NamedSetting, text: string, problems: ConfigProblem[]): Value | undefined {
  if (definition.type === 'list' && /^\s*\[/.test(text)) {
    const message = `${definition.name} is written without brackets and quotes in a variable, its items separated by commas`
    problems.push({ where: definition.variable ?? '', message, level: 'error' })
    return undefined
  }
  const items = definition.type === 'list' && pasteFault(text) === null ? split(text, definition) : [text]
  const values: (string | number | boolean)[] = []
  for (const item of items) {
    const result = convert(definition, item)
    if (result.ok) values.push(result.value)
    else
      problems.push({
        where: definition.variable ?? '',
        message: wrong(definition, result.fault, format(definition, item)),
        level: 'error',
      })
  }
  if (values.length < items.length) return undefined
  return definition.type === 'list' ? values.map(String) : values[0]
}

function fileValue(definition: NamedSetting, node: Located | undefined, problems: ConfigProblem[]): Value | undefined {
  if (node === undefined || node.kind === 'nothing') return undefined
  const fault = (at: Located, why: string | null = null, name = definition.name): void => {
    const isHidden = at.kind === 'text' && (definition.secret === true || at.text !== masked(at.text))
    const entry = definition.type === 'list' && at !== node && at.kind !== 'text' ? ' as an entry' : ''
    const what = isHidden ? 'what is there' : `${describe(at, at.kind === 'text' && convert(definition, at.text).ok)}${entry}`
    problems.push({ where: at.where, message: wrong({ ...definition, name }, why, what), level: 'error' })
  }
  if (definition.type === 'lists') return lists(node, fault)
  const nodes = definition.type === 'list' && node.kind === 'list' ? node.items : [node]
  const values: (string | number | boolean)[] = []
  let good = true
  for (const item of nodes) {
    for (const text of item.kind === 'text' ? texts(definition, item, node.kind === 'list') : [null]) {
      const result = text === null ? null : convert(definition, text)
      if (result?.ok === true) values.push(result.value)
      else {
        good = false
        fault(item, result?.fault ?? null)
      }
    }
  }
  if (!good) return undefined
  return definition.type === 'list' ? values.map(String) : values[0]
}

/** The texts to convert; null for a quoted one where a number or boolean is expected. */
function texts(definition: NamedSetting, node: LocatedText, item: boolean): (string | null)[] {
  if (definition.type === 'list' && !item) return split(node.text, definition)
  return [node.plain || ['string', 'list', 'enum', 'duration', 'bytes'].includes(definition.type) ? node.text : null]
}

function lists(
  node: Located,
  fault: (at: Located, why?: string | null, name?: string) => void,
): Readonly<Record<string, readonly string[]>> | undefined {
  if (node.kind !== 'map') {
    fault(node)
    return undefined
  }
  const result = new Map<string, string[]>()
  for (const [name, { value }] of node.entries) {
    const items = value.kind === 'list' ? value.items : []
    const names = items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))
    if (value.kind !== 'list' || names.length < items.length) fault(value, null, `products.${name}`)
    else result.set(name, names)
  }
  return Object.fromEntries(result)
}

function split(text: string, definition: Definition): string[] {
  return text
    .split(definition.separator ?? ',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function format(definition: Definition, text: string): string {
  return definition.secret === true ? 'what is there' : JSON.stringify(masked(text))
}

function wrong(definition: NamedSetting, fault: string | null, found: string): string {
  return fault === null ? `${definition.name} must be ${expectation(definition)}, not ${found}` : `${definition.name} ${fault}`
}

interface SettingsFolders {
  readonly folder: string
  readonly cwd: string
  readonly data: Value | undefined
}

/** Makes paths absolute, fills in `{data}`, removes a trailing slash of addresses. */
function located(definition: Definition, value: Value, { folder, cwd, data }: SettingsFolders): Value {
  const filled = (text: string): string => (typeof data === 'string' ? text.replaceAll('{data}', data) : text)
  const path = (text: string): string =>
    definition.packages === true ? pluginFolder(filled(text), folder, cwd) : absolute(filled(text), folder)
  if (definition.path === true && typeof value === 'string') return path(value)
  if (definition.path === true && isStrings(value)) return value.map(path)
  return definition.base === true && typeof value === 'string' ? value.replace(/(?<!\/)\/+$/, '') : value
}

function nested(values: ReadonlyMap<string, Value>): Readonly<Record<string, unknown>> {
  const groups = new Map<string, Map<string, Value>>()
  const top = new Map<string, unknown>()
  for (const { name, as } of definitionList) {
    const [group, key] = (as ?? name).split('.')
    if (group === undefined) continue
    if (key === undefined) top.set(group, values.get(name))
    else groups.set(group, (groups.get(group) ?? new Map<string, Value>()).set(key, values.get(name) ?? null))
  }
  for (const [group, members] of groups) top.set(group, Object.freeze(Object.fromEntries(members)))
  return Object.freeze(Object.fromEntries(top))
}

/** True when every setting has a value of its type. */
function isSettings(value: object): value is Settings {
  return definitionList.every((definition) => {
    let found: unknown = value
    for (const key of (definition.as ?? definition.name).split('.')) found = isRecord(found) ? found[key] : undefined
    return fits(definition, found)
  })
}

function fits(definition: Definition, value: unknown): boolean {
  if (value === null) return definition.default === null
  if (definition.type === 'list') return isStrings(value)
  if (definition.type === 'lists') return isRecord(value) && Object.values(value).every(isStrings)
  if (definition.type === 'boolean') return typeof value === 'boolean'
  if (definition.type === 'enum') return typeof value === 'string' && (definition.values ?? []).includes(value)
  return typeof value === (definition.type === 'string' ? 'string' : 'number')
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
