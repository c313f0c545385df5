import type { Command } from 'commander'
import { isRecord } from '../../../../core/sdk/json.js'
import { apiKey } from '../api-key.js'
import { fromOne } from '../arguments.js'
import { examples } from '../example.js'
import { gatewayUrl } from '../gateway-url.js'
import { fieldOf } from '../record.js'
import { refusal } from '../refusal.js'
import { printList, wantsDocument, type Shell } from '../shell.js'

/** Limits of the API. */
const MOST_CALLS = 200
const MOST_DAYS = 365
const HEADINGS = ['when', 'capability', 'mode', 'status', 'credits', 'ms', 'provider', 'request']

interface CallsOptions {
  readonly limit: number
  readonly days?: number
  readonly capability?: string
}

/** `capstan calls`: the latest calls of the account of CAPSTAN_API_KEY. */
export function addCalls(program: Command, shell: Shell): void {
  const command = program
    .command('calls')
    .description('list the latest calls of the account of CAPSTAN_API_KEY, from the gateway at CAPSTAN_URL')
    .option('--limit <n>', `calls to list, at most ${MOST_CALLS}`, fromOne(MOST_CALLS), 20)
    .option('--days <n>', 'only calls of the last days', fromOne(MOST_DAYS))
    .option('--capability <id>', 'only calls of this capability')
  examples(command, 'capstan calls', 'capstan calls --capability scrape --days 7 --limit 100')
  command.action(async ({ limit, days, capability }: CallsOptions) => {
    const key = apiKey(shell.io.env['CAPSTAN_API_KEY'] ?? '')
    const { GatewayClient } = await import('../gateway-client.js')
    const client = new GatewayClient(await gatewayUrl(shell, command))
    const query = new URLSearchParams({
      limit: String(limit),
      ...(days === undefined ? {} : { days: String(days) }),
      ...(capability === undefined ? {} : { endpoint: capability }),
    })
    const { status, body } = await client.call({ method: 'GET', path: `/v1/calls?${query.toString()}`, key })
    if (status !== 200) {
      if (wantsDocument(shell, command)) await shell.io.out(`${JSON.stringify(body)}\n`)
      throw refusal(body, status)
    }
    const calls = fieldOf(body, 'calls')
    const rows = (Array.isArray(calls) ? calls.filter(isRecord) : []).map((call) => [
      ...[call['created_at'], call['capability'], call['mode'], call['error_type'] ?? call['status'], call['credits_used']],
      ...[call['response_time_ms'], call['provider_used'], call['request_id']],
    ])
    await printList(shell, command, { document: body, headings: HEADINGS, rows })
  })
}
