import type { App } from './app.js'
import type { Config } from './config/port.js'
import type { FirstRun } from './first-run.js'

export interface Announcement {
  readonly app: App
  readonly config: Config
  readonly json: boolean
  readonly adminUrl: string
  readonly version: string
}

/** Says where the gateway listens, and at the first start what it made: the key and the token are shown this once. */
export function announce({ app, config, json, adminUrl, version }: Announcement): void {
  const url = app.services.publicUrl()
  const { firstRun: first, madeAdminToken: token } = app
  if (json) {
    const ready = { event: 'ready', url, console: `${url}/console`, admin_url: adminUrl, pid: process.pid }
    const made =
      first === null
        ? { first_run: null, ...(token === null ? {} : { admin_token: token }) }
        : { first_run: { ...first, admin_token: token } }
    process.stdout.write(`${JSON.stringify({ ...ready, ...made })}\n`)
    return
  }
  const registry = app.services.registry()
  const ids = [...registry.capabilities.keys()]
  const live = ids.filter((id) => registry.liveness(id).live).length
  const lines = [
    `Capstan ${version} listens at ${url}`,
    `  console      ${url}/console`,
    `  admin        ${adminUrl} (metrics, probes)`,
    `  capabilities ${live} of ${ids.length} live; capstan doctor says what the others need`,
    ...(config.settings.outbound.allow_private.length === 0
      ? []
      : [`  warning      outbound.allow_private opens: ${config.settings.outbound.allow_private.join(', ')}`]),
    ...config.warnings.map(({ where, message }) => `  warning      ${where}: ${message}`),
  ]
  if (first !== null) lines.push(...firstStart(url, first, token))
  else if (token !== null) lines.push('', `The admin token was made. Keep it, it is not shown again:`, `  admin token  ${token}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Says that the gateway listens and waits for its database. */
export function announceWaiting(about: { url: string; adminUrl: string; json: boolean; reason: string }): void {
  const { url, adminUrl, json, reason } = about
  process.stdout.write(
    json
      ? `${JSON.stringify({ event: 'waiting', url, admin_url: adminUrl, pid: process.pid, reason })}\n`
      : `Capstan listens at ${url} and waits for its database (CAPSTAN_STORE): ${reason}\n`,
  )
}

function firstStart(url: string, first: FirstRun, token: string | null): string[] {
  const call = (path: string, body: unknown): string =>
    `curl -s ${url}${path} -H 'Authorization: Bearer ${first.key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  return [
    '',
    `First start: account "${first.account}" has 1000 credits. Keep these, they are not shown again:`,
    `  API key      ${first.key}`,
    ...(token === null ? [] : [`  admin token  ${token}`]),
    '',
    'Run a line of JavaScript (needs nothing else):',
    call('/v1/code/execute', { language: 'javascript', code: 'console.log(6 * 7)' }),
    '',
    'Read a web page as Markdown:',
    call('/v1/scrape', { url: 'https://example.com', mode: 'fast' }),
    '',
  ]
}
