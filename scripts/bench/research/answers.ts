import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { zoneServer } from '../../../core/sdk/testkit/dns-zones.js'
import type { ResearchOutput } from '../../../plugins/research/contract.js'
import { furnish } from '../../gateway/furnish.js'
import { cpuMs } from '../../gateway/process.js'
import { startGateway } from '../../gateway/start.js'
import type { Page } from './corpus.js'
import { Engine } from './engine.js'
import type { Question } from './questions.js'

export interface Answered {
  readonly question: string
  readonly depth: string
  /** The answer is in the summary, a section or a finding. */
  readonly inReport: boolean
  /** The answer is in the summary. */
  readonly inSummary: boolean
  /** It is on the page of one of the first three sources. */
  readonly inTopThree: boolean
  readonly ms: number
  /** Processor time of the gateway's process, all threads, which other work on the machine does not lengthen much. */
  readonly cpuMs: number
  /** Null for a call that failed. */
  readonly output: ResearchOutput | null
  readonly error: string | null
}

const WARM_UPS = 3
/** On a machine that does other work too, a gateway may refuse calls for moments: they are repeated after a pause. */
const REFUSED = { times: 120, pauseMs: 2_000 } as const

/** Calls a gateway of this build, whose only search engine searches the corpus, without a language model. */
export async function answersTo(pages: readonly Page[], questions: readonly Question[], depths: readonly string[]): Promise<Answered[]> {
  const data = mkdtempSync(join(tmpdir(), 'bench-research-'))
  const hostOf = (page: Page): string => `${page.package}.test`
  const byHost = new Map<string, Page>()
  const site = await httpServer((request, response) => {
    const host = (request.headers.host ?? '').split(':')[0] ?? ''
    const page = byHost.get(`${host}${decodeURIComponent((request.url ?? '').split('?')[0] ?? '')}`)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (page === undefined) return void response.writeHead(404).end('<title>Not found</title>')
    response.end(page.html)
  })
  for (const page of pages) byHost.set(`${hostOf(page)}${page.path}`, page)
  const addressed = pages.map((page) => ({ ...page, url: `http://${hostOf(page)}:${String(site.port)}${encodeURI(page.path)}` }))
  const byUrl = new Map(addressed.map((page) => [new URL(page.url).href, page]))
  const engine = new Engine(addressed)
  const search = await httpServer(engine.listener)
  const names = await zoneServer(Object.fromEntries([...new Set(pages.map(hostOf))].map((host) => [host, { A: ['127.0.0.1'] }])))
  const gateway = await startGateway({
    upstream: 'http://127.0.0.1:9',
    data,
    env: {
      CAPSTAN_DNS: names.address,
      CAPSTAN_VENDOR_SEARXNG_URL: search.url,
      CAPSTAN_WATERFALL_SEARCH_SERP: 'searxng',
      CAPSTAN_WATERFALL_SCRAPE_RENDER: '-chromium',
      CAPSTAN_WATERFALL_LLM_CHAT: '-openai-compatible,-anthropic,-gemini',
    },
  })
  try {
    const [key = ''] = await furnish(gateway, 1)
    const answerTo = async ({ question, answers }: Question, depth: string): Promise<Answered> => {
      const before = cpuMs(gateway.pid)
      const { body, ms } = await answerOf(gateway.url, key, { query: question, depth })
      const { data: output, error } = body
      const held = (text: string): boolean => answers.some((answer) => answer.test(text.replace(/\s+/g, ' ')))
      const top = (output?.sources ?? []).slice(0, 3).map(({ url }) => byUrl.get(url)?.text ?? '')
      return {
        question,
        depth,
        inReport: held(reportText(output)),
        inSummary: held(output?.report?.summary ?? ''),
        inTopThree: top.some(held),
        ms,
        cpuMs: cpuMs(gateway.pid) - before,
        output,
        error: error?.detail ?? null,
      }
    }
    const [first] = questions
    for (let round = 0; first !== undefined && round < WARM_UPS; round++) await answerTo(first, 'standard')
    const results: Answered[] = []
    for (const depth of depths) for (const question of questions) results.push(await answerTo(question, depth))
    return results
  } finally {
    await gateway.stop()
    await Promise.all([site.close(), search.close(), names.close()])
    rmSync(data, { recursive: true, force: true })
  }
}

interface Body {
  readonly data: ResearchOutput | null
  readonly error: { readonly detail: string } | null
}

async function answerOf(url: string, key: string, question: unknown): Promise<{ readonly body: Body; readonly ms: number }> {
  for (let times = 1; ; times++) {
    const began = performance.now()
    const reply = await fetch(`${url}/v1/research`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(question),
    })
    const body = (await reply.json()) as Body
    if (reply.status !== 503 || times === REFUSED.times) return { body, ms: performance.now() - began }
    await pause(REFUSED.pauseMs)
  }
}

/** All text of a report, without its title, which repeats the question. */
export function reportText(output: ResearchOutput | null): string {
  const report = output?.report
  if (report === null || report === undefined) return ''
  return [report.summary, ...report.sections.map(({ content }) => content), ...report.key_findings].join('\n')
}
