import type { Config } from '../config/types.js'
import type { Places } from '../diagnosis/readiness.js'
import type { FirstRun, FirstStart } from './first-start.js'
import type { HttpServices } from '../http/services.js'

export interface Announcement {
  readonly app: { readonly places: Places; readonly services: Pick<HttpServices, 'publicUrl' | 'registry'> }
  readonly first: Pick<FirstStart, 'firstRun' | 'adminToken'>
  readonly config: Pick<Config, 'settings' | 'warnings'>
  readonly json: boolean
  /** Local address of the listener, which may differ from the public one. */
  readonly localUrl: string
  readonly adminUrl: string
  /** Folder of the clone, which holds the command; null where `capstan` is installed on the system. */
  readonly clone: string | null
  readonly version: string
}

/** The start message: addresses, storage, and at the first start the key and admin token, shown only once. */
export function announcement({ app, first: made, config, json, localUrl, adminUrl, clone, version }: Announcement): string {
  const url = app.services.publicUrl()
  const { firstRun: first, adminToken: token } = made
  if (json) {
    const ready = { event: 'ready', url, console: `${url}/console`, admin_url: adminUrl, pid: process.pid }
    const shown =
      first === null
        ? { first_run: null, ...(token === null ? {} : { admin_token: token }) }
        : { first_run: { ...first, admin_token: token } }
    return `${JSON.stringify({ ...ready, ...shown })}\n`
  }
  const registry = app.services.registry()
  const ids = [...registry.capabilities.keys()]
  const live = ids.filter((id) => registry.liveness(id).live).length
  const lines = [
    `Capstan ${version} listens at ${url}`,
    ...(localUrl === url ? [] : [`  local        ${localUrl}`]),
    `  console      ${url}/console`,
    `  admin        ${adminUrl} (metrics, probes)`,
    ...Object.entries(app.places).map(([name, place]) => `  ${name.padEnd(12)} ${place}`),
    `  capabilities ${live} of ${ids.length} live; capstan doctor says what the others need`,
    ...(config.settings.outbound.allow_private.length === 0
      ? []
      : [`  warning      outbound.allow_private opens: ${config.settings.outbound.allow_private.join(', ')}`]),
    ...config.warnings.map(({ where, message }) => `  warning      ${where}: ${message}`),
  ]
  if (first !== null) lines.push(...firstStart(url, { first, token, clone }))
  else if (token !== null) lines.push('', `The admin token was created. Keep it; it is not shown again:`, `  admin token  ${token}`)
  return `${lines.join('\n')}\n`
}

/** The message that the gateway listens and waits for its database. */
export function waitingAnnouncement(about: { url: string; adminUrl: string; json: boolean; reason: string }): string {
  const { url, adminUrl, json, reason } = about
  if (json) return `${JSON.stringify({ event: 'waiting', url, admin_url: adminUrl, pid: process.pid, reason })}\n`
  return `Capstan listens at ${url} and waits for its database (CAPSTAN_STORE): ${reason}\n`
}

interface MadeAtStart {
  readonly first: FirstRun
  readonly token: string | null
  readonly clone: string | null
}

function firstStart(url: string, { first, token, clone }: MadeAtStart): string[] {
  const call = (path: string, body: unknown): string =>
    `curl -s ${url}${path} -H 'Authorization: Bearer ${first.key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  return [
    '',
    `First start: account "${first.account}" has 1000 credits. Keep these; they are not shown again:`,
    `  API key      ${first.key}`,
    ...(token === null ? [] : [`  admin token  ${token}`]),
    '',
    'Run a line of JavaScript (needs nothing else):',
    call('/v1/code/execute', { language: 'javascript', code: 'console.log(6 * 7)' }),
    '',
    'Read a web page as Markdown:',
    call('/v1/scrape', { url: 'https://example.com', mode: 'fast' }),
    '',
    ...(clone === null
      ? []
      : [`The command is ./capstan in ${clone}; npm install --global ${clone} makes it capstan in every folder.`, '']),
  ]
}
