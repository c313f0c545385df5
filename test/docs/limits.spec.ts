import { expect } from 'chai'
import { Metrics, type QueueSource } from '../../core/telemetry/metrics.js'
import { constant, pages, prose, rowsOf, source } from '../support/pages.js'

const MIB = 1024 * 1024
const digits = (value: number): string => value.toLocaleString('en-US')
const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven']
const word = (value: number): string => WORDS[value] ?? String(value)
/** A sentence of a page with a number of the code in it, where the code has it and the divisor. */
type Claim = readonly [said: (value: string) => string, path: string, name: string, per?: number, form?: (value: number) => string]

const CLAIMS: Readonly<Record<string, readonly Claim[]>> = {
  'README.md': [[(n) => `an account with ${n} credits`, 'core/lifecycle/first-start.ts', 'OPENING_CREDITS', 1, String]],
  'docs/api.md': [
    [(n) => `An account may have ${n} uploads running`, 'core/files/uploads.ts', 'MOST_OF_ACCOUNT'],
    [(n) => `as long as no ${n} seconds pass without a byte`, 'core/http/upload/form.ts', 'IDLE_MS', 1_000],
    [(n) => `(1 to ${n} printable ASCII characters`, 'core/calls/idempotency/fingerprint.ts', 'LONGEST'],
  ],
  'docs/operate.md': [
    [(n) => `For ${n} seconds calls are still accepted`, 'core/lifecycle/stopping.ts', 'LEAVING_MS', 1_000, word],
    [(n) => `more than ${n} errors within a minute`, 'core/telemetry/unowned-errors.ts', 'MOST', 1, word],
    [(n) => `${n} s for a server that can be written to`, 'core/store/mongodb/connection.ts', 'selectMs', 1_000],
    [(n) => `${n} s for a round trip`, 'core/store/mongodb/connection.ts', 'tripMs', 1_000],
    [(n) => `${n} connections a replica`, 'core/store/mongodb/connection.ts', 'maxPoolSize'],
    [(n) => `once a second, or at ${n},`, 'core/store/mongodb/publishing.ts', 'PUBLISH_AT'],
    [(n) => `${n} ms for a command`, 'core/redis/connection.ts', 'COMMAND_MS'],
    [(n) => `${n} s to connect | one connection a replica`, 'core/redis/client.ts', 'CONNECT_MS', 1_000],
    [(n) => `after ${n} failures in a row nothing is sent for a second`, 'core/redis/connection.ts', 'FAILURES_IN_A_ROW', 1, word],
    [(n) => `${n} s to the head of a reply`, 'core/files/s3/client.ts', 'HEAD_MS', 1_000],
    [(n) => `1 s more for each ${n} kB`, 'core/files/s3/client.ts', 'SLOWEST'],
    [(n) => `kB | ${n} connections to a host`, 'core/outbound/operator.ts', 'CONNECTIONS'],
    [(n) => `name servers | ${n} s`, 'core/outbound/name-servers.ts', 'NAME_MS', 1_000],
    [(n) => `${n} names of callers`, 'core/outbound/resolver.ts', 'inAll'],
    [(n) => `${n} of one account`, 'core/outbound/resolver.ts', 'byCaller'],
    [(n) => `${n} of one registered domain`, 'core/outbound/resolver.ts', 'byDomain'],
    [(n) => `a vendor | ${n} s for an HTTP try`, 'core/dispatch/try-provider.ts', 'HTTP_TRY_MS', 1_000],
    [(n) => `all but the last ${n} s of it`, 'core/dispatch/try-provider.ts', 'RESERVED_MS', 1_000],
    [(n) => `| ${n} connections to a host | once, where a kept connection`, 'core/outbound/api.ts', 'CONNECTIONS'],
    [(n) => `at once for ${n} s`, 'core/dispatch/suspension.ts', 'broken', 1_000],
    [(n) => `doubling to ${n} min`, 'core/dispatch/suspension.ts', 'brokenMost', 60_000],
    [(n) => `pages of the web | ${n} s to connect`, 'core/outbound/sockets.ts', 'LIMIT_MS', 1_000],
    [(n) => `${n} s in all`, 'core/outbound/web.ts', 'TIMEOUT_MS', 1_000],
    [(n) => `${n} s of silence`, 'core/outbound/web.ts', 'SILENCE_MS', 1_000],
    [(n) => `${n} s to start`, 'plugins/browser/launch.ts', 'START_MS', 1_000],
    [(n) => `the median of the last ${n} runs`, 'core/runtime/semaphore.ts', 'RUNS'],
    [(n) => `takes ${n} connections in all`, 'core/http/server.ts', 'MOST_CONNECTIONS', 1, digits],
    [(n) => `without a header is closed after ${n} seconds`, 'core/http/server.ts', 'headersTimeout', 1_000, word],
    [(n) => `at most ${n} characters), which an orderly stop deletes`, 'core/lifecycle/temporary-folder.ts', 'LONGEST_PARENT'],
    [(n) => `after its lease (${n} s)`, 'core/credits/lease.ts', 'LEASE_MS', 1_000],
    [(n) => `and a sweep (${n} s)`, 'core/credits/sweeper.ts', 'SWEEP_MS', 1_000],
    [(n) => `from a reserve of ${n} MiB`, 'core/lifecycle/open-parts.ts', 'RESERVE_BYTES', MIB],
    [(n) => `less than ${n} MiB are free`, 'core/files/disk.ts', 'RESERVE_BYTES', MIB],
    [(n) => `within ${n} seconds of there being room`, 'core/runtime/disk-watch.ts', 'CHECK_MS', 1_000, word],
    [(n) => `Closing takes ${n} seconds at most`, 'core/lifecycle/closing.ts', 'ALL_MS', 1_000, word],
    [(n) => `written together every ${n} ms`, 'core/telemetry/log.ts', 'WAIT_MS'],
    [(n) => `kept ready for ${n} minutes after they were used last`, 'core/exec/warm-pool.ts', 'IDLE_MS', 60_000, word],
    [(n) => `one of each, ${n} at most`, 'core/exec/warm-pool.ts', 'MOST_SPARES', 1, word],
    [
      (n) => `${n[0]?.toUpperCase() ?? ''}${n.slice(1)} minutes after the start and then every hour`,
      'core/accounts/retention.ts',
      'FIRST_MS',
      60_000,
      word,
    ],
  ],
  'docs/plugins/files-and-programs.md': [
    [(n) => `JSON of at most ${n} MiB`, 'core/exec/parse-output.ts', 'MAX_ANSWER', MIB],
    [(n) => `the type of a file by its first ${n} KiB`, 'core/files/kind.ts', 'HEAD_BYTES', 1024],
  ],
  'docs/plugins/handlers.md': [
    [(n) => `Values are JSON of at most ${n} KiB`, 'core/dispatch/cached/entry.ts', 'MOST_BYTES', 1024],
    [(n) => `\`read\` of a list has ${n} seconds`, 'core/dispatch/read-list.ts', 'LONGEST_MS', 1_000, word],
  ],
  'docs/plugins/vendors.md': [
    [(n) => `beyond the ${n} s of a fixture case`, 'scripts/capstan/kit/conformance/scripted-context.ts', 'CASE_MS', 1_000],
    [(n) => `on which no byte moves for ${n} s`, 'core/outbound/api.ts', 'IDLE_MS', 1_000],
  ],
  'plugins/browser/README.md': [
    [(n) => `of which ${n} times as many may wait`, 'plugins/browser/pool.ts', 'WAITING_PER_PAGE', 1, word],
    [(n) => `no sign of life for ${n} s`, 'plugins/browser/pulse.ts', 'PATIENCE_MS', 1_000],
    [(n) => `With less than ${n} s left`, 'plugins/browser/pool.ts', 'LEAST_MS', 1_000],
    [(n) => `may run ${n} s of navigation`, 'plugins/browser/visit.ts', 'NAVIGATION_MS', 1_000],
    [(n) => `window by window, for at most ${n} s`, 'plugins/browser/pictures/take.ts', 'SCROLL_MS', 1_000],
    [(n) => `at most ${n} pixels`, 'plugins/browser/pictures/limits.ts', 'MOST_HEIGHT', 1, digits],
    [(n) => `(webp ${n})`, 'plugins/browser/pictures/limits.ts', 'MOST_WEBP_HEIGHT', 1, digits],
    [(n) => `more than ${n} million pixels`, 'plugins/browser/pictures/limits.ts', 'BAND_PIXELS', 1_000_000],
    [(n) => `and ${n} MiB; a pdf`, 'plugins/browser/pictures/limits.ts', 'MOST_BYTES', MIB],
    [(n) => `at most ${n} sheets`, 'plugins/browser/pictures/limits.ts', 'MOST_SHEETS'],
  ],
  'plugins/code/README.md': [
    [(n) => `${n} MiB of memory`, 'plugins/code/program.ts', 'MEMORY_MB'],
    [(n) => `${n} processes`, 'plugins/code/program.ts', 'PROCESSES'],
    [(n) => `${n} MiB of files`, 'plugins/code/program.ts', 'DISK_MB'],
    [(n) => `Output is cut at ${n} MiB`, 'plugins/code/result.ts', 'STREAM_BYTES', MIB],
    [(n) => `${n} output files`, 'plugins/code/result.ts', 'maxFiles'],
    [(n) => `of together ${n} MiB`, 'plugins/code/result.ts', 'maxBytes', MIB],
    [(n) => `input files ${n} MiB together`, 'plugins/code/violations.ts', 'INPUT_BYTES', MIB],
    [(n) => `${n} MiB installed`, 'plugins/code/packages.ts', 'PACKAGES_MB'],
    [(n) => `${n} s, through the gateway's guard proxy`, 'plugins/code/packages.ts', 'INSTALL_MS', 1_000],
    [(n) => `Programs of more than ${n} bytes`, 'plugins/code/guest/python.ts', 'PARSED', 1, digits],
  ],
  'plugins/convert/README.md': [
    [(n) => `more than ${n} parts`, 'plugins/convert/zip-limits.ts', 'parts', 1, digits],
    [(n) => `Sources are at most ${n} MiB`, 'plugins/convert/handler.ts', 'MOST_BYTES', MIB],
    [(n) => `${n} s, 1 GiB (heap 640 MiB)`, 'plugins/convert/engines/pandoc/run.ts', 'CONVERT_MS', 1_000],
    [(n) => `(heap ${n} MiB)`, 'plugins/convert/engines/pandoc/command.ts', 'HEAP_MB'],
    [(n) => `${n} s, 768 MiB`, 'plugins/convert/engines/imagemagick/run.ts', 'WALL_MS', 1_000],
    [(n) => `${n} frames`, 'plugins/convert/engines/imagemagick/run.ts', 'MOST_FRAMES'],
    [(n) => `| calibre | ${n} s`, 'plugins/convert/engines/calibre/run.ts', 'CONVERT_MS', 1_000],
    [(n) => `| libarchive | ${n} s`, 'plugins/convert/engines/archive/run.ts', 'WALL_MS', 1_000],
    [(n) => `${n} entries`, 'plugins/convert/engines/archive/listing.ts', 'MOST_ENTRIES', 1, digits],
    [(n) => `| ghostscript | ${n} s`, 'plugins/convert/engines/ghostscript/run.ts', 'WALL_MS', 1_000],
    [(n) => `${n} pages | PostScript`, 'plugins/convert/engines/ghostscript/run.ts', 'MOST_PAGES'],
    [(n) => `Text tables of more than ${n} lines`, 'plugins/office/rows.ts', 'ON_PAGES', 1, digits],
    [(n) => `and of more than ${n} not put in a sheet`, 'plugins/office/rows.ts', 'IN_A_SHEET', 1, digits],
    [(n) => `than ${n} pages becomes no document of frames`, 'plugins/office/pages.ts', 'MOST', 1, digits],
  ],
  'plugins/documents/README.md': [
    [(n) => `over ${n} characters, over 12 schemas deep`, 'plugins/documents/schema/checked-schema.ts', 'MOST_CHARACTERS', 1, digits],
    [(n) => `${n} schemas deep`, 'plugins/documents/schema/checked-schema.ts', 'DEEPEST'],
    [(n) => `the first ${n})`, 'plugins/documents/source/document.ts', 'MOST_PICTURED'],
    [(n) => `A vendor has ${n} seconds`, 'plugins/documents/model/model-extract.ts', 'TRY_MS', 1_000],
    [(n) => `With less than ${n} of them left`, 'plugins/documents/model/model-parts.ts', 'LEAST_MS', 1_000],
    [(n) => `${n} at the same time`, 'plugins/documents/model/model-parts.ts', 'AT_ONCE', 1, word],
    [(n) => `at most ${n}. The answer is given only`, 'plugins/documents/work/fill.ts', 'MOST_ITEMS', 1, digits],
  ],
  'plugins/domains/README.md': [
    [(n) => `up to ${n}, free ones first`, 'plugins/domains/modes/suggest-names.ts', 'SHOWN'],
    [(n) => `\`extensions\`: up to ${n} of`, 'plugins/domains/modes/suggest-extensions.ts', 'MOST'],
    [(n) => `open to everybody, ${n} a page`, 'plugins/domains/modes/page.ts', 'PAGE'],
    [(n) => `does not answer within ${n} s`, 'plugins/domains/providers/rdap.ts', 'BUDGET_MS', 1_000],
    [(n) => `above ${n} are null`, 'plugins/domains/prices/amount.ts', 'MOST', 1, digits],
  ],
  'plugins/emails/README.md': [
    [(n) => `not within ${n} seconds`, 'plugins/emails/verify/ask-vendors.ts', 'AGE_MS', 1_000],
    [(n) => `at most ${n} mailboxes`, 'plugins/emails/find/guess.ts', 'MOST_ASKED'],
    [(n) => `the first that exists, within ${n} seconds`, 'plugins/emails/find/guess.ts', 'SMTP_MS', 1_000],
    [(n) => `searches for at most ${n} seconds`, 'plugins/emails/providers/hunter.ts', 'SEARCH_S'],
    [(n) => `(at most ${n} seconds, a megabyte a page)`, 'plugins/emails/find/known.ts', 'SITE_MS', 1_000],
    [(n) => `When ${n} servers in a row`, 'plugins/emails/verify/smtp/port-watch.ts', 'DOMAINS', 1, word],
  ],
  'plugins/invoices/README.md': [
    [(n) => `At most ${n} MB and 200`, 'plugins/invoices/document.ts', 'MOST_BYTES', 1_000_000],
    [(n) => `Only the first ${n} pages of a PDF`, 'plugins/invoices/document.ts', 'READ_PAGES'],
    [(n) => `${n} levels or 10,000 lines`, 'plugins/invoices/work/xml.ts', 'DEEPEST'],
    [(n) => `${n} words a page`, 'plugins/invoices/layout/rows.ts', 'MAX_WORDS', 1, digits],
    [(n) => `${n} a row`, 'plugins/invoices/layout/rows.ts', 'MAX_ROW_WORDS'],
    [(n) => `${n} rows, 1,000 items`, 'plugins/invoices/layout/document.ts', 'MAX_ROWS', 1, digits],
    [(n) => `${n} items; of a scan`, 'plugins/invoices/layout/items.ts', 'MAX_LINES', 1, digits],
    [(n) => `of a scan the first ${n} pages`, 'plugins/invoices/providers/layout.ts', 'PAGES'],
    [(n) => `up to 14 MB and ${n} pages`, 'plugins/invoices/model.ts', 'MOST_PAGES'],
  ],
  'plugins/llm/README.md': [
    [(n) => `one token for ${n} of its bytes`, 'plugins/llm/room.ts', 'PDF_BYTES', 1, String],
    [(n) => `a picture as ${n} tokens`, 'plugins/llm/room.ts', 'PICTURE', 1, digits],
    [(n) => `A token is counted as ${n} characters`, 'plugins/_shared/tokens.ts', 'CHARACTERS'],
  ],
  'plugins/picture/README.md': [
    [(n) => `At most ${n} million pixels`, 'plugins/picture/limits.ts', 'pixels', 1_000_000],
    [(n) => `${n} frames`, 'plugins/picture/limits.ts', 'frames'],
    [(n) => `${n} pages`, 'plugins/picture/limits.ts', 'pages', 1, digits],
    [(n) => `${n} MiB, 16,383`, 'plugins/picture/limits.ts', 'bytes', MIB],
    [(n) => `${n} pixels a side`, 'plugins/picture/limits.ts', 'side', 1, digits],
    [(n) => `${n} seconds and 1 GiB`, 'plugins/picture/limits.ts', 'seconds'],
  ],
  'plugins/profiles/README.md': [[(n) => `for ${n} s in total`, 'plugins/profiles/handler.ts', 'WITHIN_MS', 1_000]],
  'plugins/reading/README.md': [
    [(n) => `as many as ${n} seconds are enough for`, 'plugins/reading/parse/pdf.ts', 'ENOUGH_MS', 1_000],
    [(n) => `${n} characters; 20,000 words`, 'plugins/reading/parse/read.ts', 'MAX_TEXT', 1, digits],
    [(n) => `${n} words with places`, 'plugins/reading/parse/pdf.ts', 'MAX_WORDS', 1, digits],
    [(n) => `${n} rows of 256 columns`, 'plugins/reading/parse/grid.ts', 'MAX_ROWS', 1, digits],
    [(n) => `${n} cells; 1,000 slides`, 'plugins/reading/parse/grid.ts', 'MAX_CELLS', 1, digits],
    [(n) => `${n} slides`, 'plugins/reading/parse/pptx.ts', 'MAX_SLIDES', 1, digits],
    [(n) => `${n} attachments`, 'plugins/reading/parse/read.ts', 'MAX_ATTACHED'],
    [(n) => `Archives of more than ${n} files`, 'plugins/reading/parse/zip.ts', 'MAX_FILES', 1, digits],
    [(n) => `drawn with ${n} pixels an inch`, 'plugins/reading/ocr/pdf-pages.ts', 'DPI'],
    [(n) => `the first ${n} unless`, 'plugins/reading/providers/tesseract.ts', 'DEFAULT_PAGES'],
    [(n) => `Pages of a PDF as JPEG with ${n} pixels`, 'plugins/reading/providers/poppler.ts', 'SIDE', 1, digits],
  ],
  'plugins/scrape/README.md': [
    [(n) => `A page of more than ${n} bytes`, 'plugins/scrape/work/limits.ts', 'bytes', 1, digits],
    [(n) => `${n} elements and texts`, 'plugins/scrape/work/limits.ts', 'nodes', 1, digits],
    [(n) => `${n} levels;`, 'plugins/scrape/work/limits.ts', 'refuseDepth', 1, digits],
    [(n) => `beyond ${n} levels tags are dropped`, 'plugins/scrape/work/limits.ts', 'depth'],
    [(n) => `${n} values`, 'plugins/scrape/work/facts/bounds.ts', 'values', 1, digits],
    [(n) => `${n} tables of 20,000 cells`, 'plugins/scrape/work/facts/bounds.ts', 'tables'],
    [(n) => `after scrolling down up to ${n} screens`, 'plugins/browser/scroll.ts', 'MOST_SCREENS'],
    [(n) => `which waits up to ${n} s`, 'plugins/browser/stealth/past-checks.ts', 'CHECK_MS', 1_000],
  ],
  'plugins/search/README.md': [
    [(n) => `titles are cut at ${n}`, 'plugins/search/result.ts', 'TITLE'],
    [(n) => `snippets at ${n} characters`, 'plugins/search/result.ts', 'SNIPPET', 1, digits],
    [(n) => `the first ${n} pages (5 s each`, 'plugins/search/answer/sources.ts', 'PAGES', 1, word],
    [(n) => `picks up to ${n} that differ`, 'plugins/search/answer/extract.ts', 'MOST_SENTENCES', 1, word],
  ],
  'plugins/sites/README.md': [
    [(n) => `at most ${n} MiB are fetched`, 'plugins/sites/parts/page.ts', 'MOST_BYTES', MIB],
    [(n) => `the first ${n} KiB are read`, 'plugins/sites/parts/technologies/technologies-of.ts', 'MOST_BYTES', 1024],
  ],
}

const metrics = async (): Promise<string[]> => {
  const queue = (): QueueSource => ({ size: 0, dropped: 0 })
  const { registry } = new Metrics({
    callsInFlight: () => 0,
    suspended: () => 0,
    loopDelayMs: () => 0,
    deliveries: queue,
    reversals: queue,
    refunds: () => ({ size: 0 }),
    accountsAside: () => 0,
    logBytes: () => 0,
    disks: () => [],
    faults: { logLinesDropped: () => 0, unownedErrors: () => ({ exception: 0, rejection: 0 }) },
    redisShared: () => true,
  })
  return [...(await registry.metrics()).matchAll(/^# TYPE (capstan_\w+)/gm)].map(([, name = '']) => name)
}

describe('limits on pages are those of the code', () => {
  for (const [path, claims] of Object.entries(CLAIMS))
    it(path, () => {
      const page = prose(path)
      const wrong = claims.flatMap(([said, file, name, per = 1, form = String]) => {
        const text = said(form(constant(file, name) / per))
        return page.includes(text) ? [] : [`${name} of ${file}: ${text}`]
      })
      expect(wrong).to.deep.equal([])
    })
})

describe('docs/operate.md: metrics', () => {
  it('each is in the table, and no other', async () => {
    const rows = rowsOf(source('docs/operate.md'), 'metric').map(({ metric = '' }) => metric.replaceAll('`', ''))
    expect(rows.sort()).to.deep.equal((await metrics()).sort())
  })

  it('no other page names one that there is not', async () => {
    const known = await metrics()
    const named = pages()
      .filter((path) => path !== 'docs/operate.md')
      .flatMap((path) => [...source(path).matchAll(/\bcapstan_\w+/g)].map(([name]) => name))
      .filter((name) => name !== 'capstan_client')
    expect(named.filter((name) => !known.includes(name))).to.deep.equal([])
  })
})
