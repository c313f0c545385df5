import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { packageRoot } from '../../../core/runtime/root.js'
import extract from '../work/extract.js'
import facts from '../work/facts.js'
import { realPages, writtenPages, type GatePage } from './corpus.js'
import { textOfMarkdown } from './plain.js'
import { REAL_PAGES } from './real-pages.js'
import { scoreOf, SLACK } from './score.js'
import { tokenF1 } from './words.js'
import { skip, skipped } from '../../../test/support/needs.js'

const PAGES = join(packageRoot(), 'plugins/scrape/gate/pages')

function keepsUp(page: GatePage): void {
  const { ours, readability } = scoreOf(page)
  expect(ours, `Readability alone: ${readability.toFixed(3)}`).to.be.at.least(readability - SLACK)
}

describe('scrape: extraction beside Readability alone, on written pages', function () {
  this.timeout(30_000)
  const pages = writtenPages(PAGES)

  it('has twenty pages, frozen before the extraction was changed', () => {
    const frozen = readFileSync(join(PAGES, 'SHA256SUMS'), 'utf8')
    const found = readdirSync(PAGES)
      .filter((file) => file !== 'SHA256SUMS')
      .sort()
      .map(
        (file) =>
          `${createHash('sha256')
            .update(readFileSync(join(PAGES, file)))
            .digest('hex')}  ${file}\n`,
      )
    expect(pages).to.have.length(20)
    expect(found.join('')).to.equal(frozen)
  })
  for (const page of pages) it(`gives no less of ${page.name}`, () => keepsUp(page))
})

describe('scrape: extraction beside Readability alone, on documentation of Debian packages', function () {
  this.timeout(30_000)
  const { pages, absent } = realPages()
  for (const page of pages) it(`gives no less of ${page.name}`, () => keepsUp(page))
  for (const page of absent) skipped(`gives no less of ${page.path}`, `package ${page.package} is not installed`)

  it('has twenty pages where their packages are installed', function () {
    expect(REAL_PAGES).to.have.length(20)
    const lost = absent.filter(({ package: name }) => existsSync(`/var/lib/dpkg/info/${name}.list`))
    if (absent.length > 0 && (lost.length === 0 || withoutDocumentation())) skip(this, 'packages with pages are not installed')
    expect(lost.map(({ path }) => path)).to.deep.equal([])
    expect(pages.filter(({ gold }) => gold.trim() === '')).to.deep.equal([])
  })
})

/** Whether dpkg is configured to leave out documentation, as in slim images. */
function withoutDocumentation(): boolean {
  const folder = '/etc/dpkg/dpkg.cfg.d'
  const files = existsSync(folder) ? readdirSync(folder) : []
  return files.some((file) => /^path-exclude.*\/usr\/share\/doc/m.test(readFileSync(join(folder, file), 'utf8')))
}

describe('scrape: title and description of the pages of the gate', function () {
  this.timeout(60_000)
  it('are those that page.facts gives', () => {
    for (const { name, html } of [...writtenPages(PAGES), ...realPages().pages]) {
      const input = { html, url: 'https://a.example/docs/page.html' }
      const [read, found] = [extract({ ...input, output: 'markdown', selector: null }), facts({ ...input, asked: input.url })]
      if ('limit' in read || 'limit' in found) throw new Error(`${name} is over a limit`)
      expect({ title: read.title, description: read.description }, name).to.deep.equal({
        title: found.facts.title,
        description: found.facts.description,
      })
    }
  })
})

describe('scrape: token F1', () => {
  it('counts words, folded, as often as they stand in both', () => {
    expect(tokenF1('Tea, tea!', 'tea and milk')).to.equal(2 / 5)
    expect(tokenF1('TEA ﬁne', 'tea fine')).to.equal(1)
    expect(tokenF1('', 'tea')).to.equal(0)
    expect(tokenF1('...', '')).to.equal(0)
  })
  it('divides texts without spaces', () => {
    const f1 = tokenF1('老井的绳痕', '老井的故事')
    expect(f1).to.be.within(0.3, 0.9)
  })
  it('looks at what Markdown says, not at its marks', () => {
    const markdown =
      '# A *b*\n\n- [x y](https://c.example/x "t") ![p](https://c.example/p.png)\n\n3. foo\\_bar <sup>2</sup>\n\n```js\na*b\n```\n\n| 1 | 2 |\n| --- | --- |\n| 3<br>4 | `5` |'
    expect(tokenF1(textOfMarkdown(markdown), 'A b x y foo_bar 2 a b 1 2 3 4 5')).to.equal(1)
  })
})
