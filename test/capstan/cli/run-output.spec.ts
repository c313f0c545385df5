import { expect } from 'chai'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { displayWidth } from '../../../scripts/capstan/cli/display-width.js'
import { answersPlugin } from '../../support/answers-plugin.js'
import { cliBench, type CliBench } from '../../support/cli.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import type { PluginFolder } from '../../support/loader.js'

const BYTES = Buffer.from('PNG'.repeat(1_000))

describe('the output of capstan run', function () {
  this.timeout(60_000)
  let plugins: PluginFolder
  let gateway: TestGateway
  let bench: CliBench
  before(async () => {
    plugins = await answersPlugin()
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: plugins.path } })
  })
  after(async () => {
    await gateway?.close()
    await plugins?.remove()
  })
  const open = (columns: number | null): CliBench => cliBench({ columns, env: { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: gateway.key } })
  beforeEach(() => (bench = open(100)))
  afterEach(() => bench.done())
  const run = async (...words: string[]) => await bench.run('run', 'answers.make', ...words)
  const saved = (): string[] =>
    readdirSync(bench.folder)
      .filter((name) => name !== 'data')
      .sort()
  const content = (name: string): Buffer => readFileSync(join(bench.folder, name))

  it('on a terminal names a saved picture after the capability and the page, and never overwrites', async () => {
    for (const name of ['answers-make-example.com-prices.jpg', 'answers-make-example.com-prices-2.jpg']) {
      const { code, out, err } = await run('form=picture', 'url=https://example.com/prices.html')
      expect({ code, out }, err).to.deep.equal({ code: 0, out: `image_base64: (saved as ${name})\nformat: jpeg\nwidth: 3\n` })
      expect(err).to.contain(`saved ${name}, 3000 bytes\n`)
      expect(content(name).equals(BYTES)).to.equal(true)
    }
  })

  it('on a terminal names it after its title, the uploaded file, or the words of the call', async () => {
    await run('form=picture', 'url=https://example.com/titled')
    writeFileSync(join(bench.folder, 'My Film.mp4'), 'film')
    await run('form=subtitles', 'url=@My Film.mp4')
    await run('form=sound', 'prompt=Three short beeps')
    expect(saved()).to.deep.equal([
      'My Film.mp4',
      'answers-make-a-title-of-things.jpg',
      'answers-make-my-film.srt',
      'answers-make-three-short-beeps.wav',
    ])
    expect(content('answers-make-my-film.srt').toString()).to.contain('Hello')
  })

  it('on a terminal fetches the file behind a link, under the name that the answer gives it', async () => {
    const { code, out } = await run('form=document')
    expect(code).to.equal(0)
    expect(saved()).to.deep.equal(['Letter.pdf'])
    expect(content('Letter.pdf').equals(BYTES)).to.equal(true)
    expect(out).to.contain(`file_url: ${gateway.url}/files/`)
  })

  it('keeps a name from elsewhere within the folder, visible, and without what drives a terminal', async () => {
    const { err } = await run('form=hostile')
    expect(saved()).to.deep.equal(['bash_[2Jrc.sh'])
    expect(err).not.to.contain('\u001b')
  })

  it('on a terminal saves several files, each once', async () => {
    const { out } = await run('form=files')
    expect(saved()).to.deep.equal(['a.csv', 'b.csv'])
    expect([content('a.csv').toString(), content('b.csv').toString()]).to.deep.equal(['1,2', '3,4'])
    expect(out).to.contain('stdout: made [2J two\n').and.not.to.contain('\u001b')
  })

  it('on a terminal prints the text of a page, saves neither its picture nor the page that was uploaded, and no null field', async () => {
    writeFileSync(join(bench.folder, 'page.html'), '<p>A page</p>')
    const { out } = await run('form=page', 'url=@page.html')
    expect(out).to.contain('content: "# A page"').and.to.contain('screenshot_url: http')
    expect(out).not.to.contain('null').and.not.to.contain('description')
    expect(saved()).to.deep.equal(['page.html'])
  })

  it('on a terminal shows a list as a table without columns that are null, whose wide characters keep the columns', async () => {
    bench.done()
    bench = open(120)
    const { out } = await run('form=table')
    const lines = out.split('\n')
    const [heading = '', first = '', second = ''] = lines.slice(lines.indexOf('results') + 1)
    expect(heading).to.match(/^name +url +note$/)
    const columnOf = (line: string, word: string): number => displayWidth(line.slice(0, line.indexOf(word)))
    expect([columnOf(first, 'https:'), columnOf(second, 'https:')]).to.deep.equal([heading.indexOf('url'), heading.indexOf('url')])
    expect(columnOf(second, 'Short.')).to.equal(heading.indexOf('note'))
  })

  for (const columns of [40, 60, 80, 100])
    it(`in a terminal of ${columns} columns no line is longer, and nothing is cut`, async () => {
      bench.done()
      bench = open(columns)
      const { out } = await run('form=table')
      expect(out.split('\n').filter((line) => displayWidth(line) > columns)).to.deep.equal([])
      const words = 'A note of several words that is longer than a narrow terminal is wide.'.split(' ')
      for (const word of [...words, 'https://example.com/first', 'https://example.com/世界']) expect(out).to.contain(word)
    })

  it('the calls are a table on a terminal, newest first, and JSON in a pipe', async () => {
    await run('form=table')
    await run('form=sound')
    bench.done()
    bench = open(200)
    const { code, out } = await bench.run('calls', '--limit', '2', '--capability', 'answers.make')
    expect(code).to.equal(0)
    const [heading = '', ...lines] = out.trimEnd().split('\n')
    expect(heading).to.match(/^when +capability +mode +status +credits +ms +provider +request$/)
    expect(lines.length).to.equal(2)
    for (const each of lines) expect(each).to.match(/^\d{4}-\d\d-\d\dT\S+Z +answers\.make +- +200 +1 +\d+ +\S+ +req_\S+$/)
    bench.done()
    bench = open(null)
    const { calls, limit } = (await bench.run('calls')).json() as { calls: { capability: string }[]; limit: number }
    expect([calls[0]?.capability, limit]).to.deep.equal(['answers.make', 20])
  })

  it('in a pipe is the whole answer as JSON, with the bytes, and nothing is saved', async () => {
    bench.done()
    bench = open(null)
    const { code, err, json } = await run('form=picture')
    expect(code, err).to.equal(0)
    expect(json())
      .to.deep.include({ success: true, credits_used: 1 })
      .and.to.have.nested.property('data.image_base64', BYTES.toString('base64'))
    expect((await run('form=picture', '--json')).json()).to.have.nested.property('data.image_base64')
    expect(saved()).to.deep.equal([])
  })

  it('in a pipe is the answer of a refused call too, with its exit code', async () => {
    bench.done()
    bench = open(null)
    const { code, json } = await run('form=nothing')
    expect(code).to.equal(2)
    expect(json()).to.deep.include({ success: false }).and.to.have.nested.property('error.status', 422)
  })

  it('--json on a terminal is one document without bytes in base64', async () => {
    const { json } = await run('form=picture', '--json')
    expect(json()).to.have.nested.property('data.image_base64', '(saved as answers-make.jpg)')
    const { out } = await run('form=picture', '--json', '--out', 'one.jpg')
    expect(out).to.contain('(4000 characters of base64; one.jpg has the file)')
    expect(content('one.jpg').equals(BYTES)).to.equal(true)
  })

  it('--out names the file, which replaces one of that name, or a folder for all files', async () => {
    writeFileSync(join(bench.folder, 'one.jpg'), 'before')
    expect(await run('form=picture', '--out', 'one.jpg')).to.include({ code: 0, out: '' })
    expect(content('one.jpg').equals(BYTES)).to.equal(true)
    mkdirSync(join(bench.folder, 'made'))
    expect(await run('form=files', '--out', 'made')).to.include({ code: 0, out: '' })
    expect(readdirSync(join(bench.folder, 'made')).sort()).to.deep.equal(['a.csv', 'b.csv'])
  })

  it('--out writes the text of a page, not its picture or the page that was uploaded', async () => {
    writeFileSync(join(bench.folder, 'page.html'), '<p>A page</p>')
    await run('form=page', 'url=@page.html', '--out', 'page.md')
    expect(content('page.md').toString()).to.equal('# A page')
  })

  it('a file that cannot be saved ends with 1 and says why, after everything else', async () => {
    bench.done()
    bench = cliBench({ env: { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: gateway.key } })
    const gone = cliBench({ env: { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: gateway.key } })
    gone.done()
    const { code, out, err } = await gone.run('run', 'answers.make', 'form=picture')
    expect(code).to.equal(1)
    expect(out).to.contain('width: 3').and.to.contain('--out FILE saves the file')
    expect(err).to.match(/error: .*answers-make\.jpg: there is no such file or folder\n$/)
    expect(err).to.contain('1 credit')
  })
})
