import { expect } from 'chai'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { noCallFiles } from '../../test/support/call-files.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { officeDocuments } from '../../test/support/office-documents.js'
import { TemporaryFolder } from '../../test/support/store.js'
import { writeZip } from '../../test/support/zip-writer.js'

const OFFICE = { '[Content_Types].xml': '<Types/>', 'word/document.xml': 'x' }

/** A PDF of empty pages. */
function pdf(pages: number): string {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids}]>>`,
    ...Array.from({ length: pages }, () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>'),
  ]
  return `%PDF-1.4\n${objects.map((object, at) => `${at + 1} 0 obj${object}endobj\n`).join('')}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\n%%EOF\n`
}

interface Answer {
  readonly file_name: string
  readonly file_size: number
  readonly file_url: string
  readonly conversion_cost: number
  readonly source_format: string
  readonly target_format: string
}

describe('files.convert', function () {
  this.timeout(400_000)
  const usual = tmpdir()
  let site: Running
  let gateway: TestGateway
  let temporary: TemporaryFolder
  let documents: Readonly<Record<string, string | Uint8Array>>
  let hits: string[] = []

  before(async function () {
    needs(this, 'soffice', 'bwrap', 'ffmpeg', 'pdftoppm', 'pdfinfo')
    temporary = new TemporaryFolder()
    await chmod(temporary.path, 0o711)
    process.env['TMPDIR'] = temporary.path
    site = await httpServer((request, response) => {
      const name = decodeURIComponent((request.url ?? '').slice(1))
      if (name.startsWith('canary')) hits.push(name)
      const data = documents[name]
      response.statusCode = data === undefined ? 404 : 200
      response.end(data)
    })
    documents = {
      ...officeDocuments(site.url),
      'two.pdf': pdf(2),
      'many.pdf': pdf(10_000),
      'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="#c33"/></svg>',
      'script.svg': 'push graphic-context\nimage over 0,0 0,0 "file:///etc/passwd"\npop graphic-context\n',
      'list.mp4': '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
      'film.srt': '1\n00:00:00,000 --> 00:00:01,000\nWords\n',
      'bomb.docx': writeZip(OFFICE, { unpacked: 0x7fff_ffff }),
      'parts.docx': writeZip(OFFICE, { count: 20_000 }),
      'empty.docx': '',
    }
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    process.env['TMPDIR'] = usual
    temporary?.remove()
  })

  const convert = async (name: string, from: string, to: string) =>
    await gateway.post('/v1/files/convert', { file_url: `${site.url}/${name}`, source_format: from, target_format: to })
  const made = async (name: string, from: string, to: string): Promise<{ answer: Answer; bytes: Buffer }> => {
    const reply = await convert(name, from, to)
    expect(reply.status, reply.text).to.equal(200)
    const answer = reply.json<{ data: Answer }>().data
    return { answer, bytes: Buffer.from(await (await fetch(answer.file_url)).arrayBuffer()) }
  }

  it('makes a PDF of a Word document', async () => {
    const { answer, bytes } = await made('plain.docx', 'DOCX', 'pdf')
    expect(answer).to.deep.include({ file_name: 'plain.pdf', source_format: 'docx', target_format: 'pdf', conversion_cost: 0 })
    expect(bytes.toString('latin1', 0, 5)).to.equal('%PDF-')
    expect(answer.file_size).to.equal(bytes.length)
  })

  it('one pair of each engine of this page: a picture, subtitles, and pages that become pictures in two steps, as a ZIP', async () => {
    const picture = await made('drawing.svg', 'svg', 'jpg')
    expect(picture.answer).to.deep.include({ file_name: 'drawing.jpg', target_format: 'jpeg' })
    expect(picture.bytes.subarray(0, 3).toString('hex')).to.equal('ffd8ff')
    const { bytes } = await made('film.srt', 'srt', 'vtt')
    expect(bytes.toString()).to.match(/^WEBVTT[^]*Words/)
    const pages = await made('two.pdf', 'pdf', 'webp')
    expect(pages.answer.file_name).to.equal('two-webp.zip')
    expect(pages.bytes.toString('latin1', 0, 4)).to.equal('PK\x03\x04')
    expect(pages.bytes.toString('latin1').match(/two-\d\.webp/g)).to.have.lengthOf(4)
  })

  it('T-51 fetches nothing that a document names', async () => {
    hits = []
    await made('linked.docx', 'docx', 'txt')
    expect(hits).to.deep.equal([])
  })

  for (const [name, from, to, says] of [
    ['plain.docx', 'dcox', 'pdf', /source_format.*Did you mean.*docx/],
    ['plain.docx', 'docx', 'pdff', /target_format.*Did you mean.*pdf/],
    ['plain.docx', 'docx', 'mp3', /cannot be made into mp3\. It can become .*pdf/],
    ['plain.docx', 'docx', 'docx', /is docx already/],
    ['drawing.svg', 'docx', 'pdf', /no docx file.*image\/svg\+xml.*set source_format to svg/],
    ['plain.docx', 'png', 'webp', /no png file.*set source_format to docx/],
    ['absent.docx', 'docx', 'pdf', /404/],
    ['empty.docx', 'docx', 'pdf', /empty/],
    ['cut.docx', 'docx', 'pdf', /damaged/],
    ['sealed.docx', 'docx', 'pdf', /password/],
    ['bomb.docx', 'docx', 'pdf', /unpacks to more than/],
    ['parts.docx', 'docx', 'pdf', /more than 2000 parts/],
    ['script.svg', 'svg', 'png', /no svg file/],
    ['list.mp4', 'mp4', 'mp3', /no mp4 file/],
    ['many.pdf', 'pdf', 'png', /10,?000 pages|at most/],
  ] as const)
    it(`is 422 with the reason, and free: ${name} as ${from} to ${to}`, async () => {
      const reply = await convert(name, from, to)
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.text).to.match(says)
      expect(reply.headers['x-credits-used']).to.equal('0')
    })

  it('lists formats, and what one can become or be made of', async () => {
    interface Row {
      readonly format: string
      readonly aliases: string[]
      readonly targets: { format: string; engines: string[]; steps: number; through: string | null }[]
    }
    const list = async (query: string): Promise<Row[]> =>
      (await gateway.get(`/v1/files/formats${query}`)).json<{ formats: Row[] }>().formats
    const all = await list('')
    expect(all.length).to.be.greaterThan(100)
    expect(all.find(({ format }) => format === 'jpeg')?.aliases).to.include('jpg')
    const [docx, ...more] = await list('?source=docx')
    expect(more).to.deep.equal([])
    expect(docx?.targets.find(({ format }) => format === 'pdf')).to.deep.include({ steps: 1, through: null })
    expect(docx?.targets.find(({ format }) => format === 'png')).to.deep.equal({ format: 'png', engines: [], steps: 2, through: 'pdf' })
    expect((await list('?target=webm')).map(({ format }) => format)).to.include('mp4')
    const wrong = await gateway.get('/v1/files/formats?source=dcox')
    expect(wrong.status).to.equal(422)
    expect(wrong.text).to.contain('docx')
  })

  it('leaves no file behind', async () => {
    await noCallFiles(temporary.path)
  })
})
