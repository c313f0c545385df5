import { expect } from 'chai'
import fc from 'fast-check'
import { convertVendors } from './contract.js'
import { anyEngine, live, livePairs } from './engines.js'
import { formatOf, nearestFormats } from './formats/find.js'
import { fits, peek } from './formats/shape.js'
import { MIDDLES } from './formats/middles.js'
import { FORMATS } from './formats/table.js'
import { matrixOf } from './matrix.js'
import { baseName, resultName } from './names.js'
import { ENGINES } from './pairs/table.js'
import { pathsOf } from './plan.js'
import { violations } from './violations.js'

const ids = FORMATS.map(({ id }) => id)
const format = fc.constantFrom(...ids)

describe('files.convert: the table', () => {
  it('has each name once, among ids and aliases', () => {
    const names = FORMATS.flatMap(({ id, aliases = [] }) => [id, ...aliases])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).to.deep.equal([])
    expect(names.filter((name) => !/^[a-z0-9][a-z0-9.+_-]*$/.test(name))).to.deep.equal([])
  })

  it('has every format that an engine names, and every format has an engine', () => {
    const named = new Set(ENGINES.flatMap(({ targets }) => [...targets].flatMap(([from, to]) => [from, ...to])))
    expect([...named].filter((id) => formatOf(id)?.id !== id)).to.deep.equal([])
    expect(ids.filter((id) => !named.has(id))).to.deep.equal([])
  })

  it('has formats in the middle that are formats', () => {
    expect(
      Object.values(MIDDLES)
        .flat()
        .filter((id) => formatOf(id) === null),
    ).to.deep.equal([])
  })
})

describe('files.convert: ways through a format in the middle', () => {
  it('lead to another format than the first and the last, and come behind the straight one', () => {
    fc.assert(
      fc.property(format, format, (from, to) => {
        const [straight, ...through] = pathsOf(from, to, () => true)
        expect(straight).to.deep.equal([{ from, to }])
        for (const steps of through) {
          const [first, second] = steps
          expect(steps).to.deep.equal([
            { from, to: first.to },
            { from: first.to, to },
          ])
          expect([from, to]).not.to.include(second?.from)
        }
      }),
    )
  })
})

describe('T-51 files.convert: what Gotenberg is asked for', () => {
  it('is no format whose files name others that are loaded while they are opened', () => {
    const gotenberg = ENGINES.find(({ vendor }) => vendor === 'gotenberg')
    expect(gotenberg?.targets.has('docx')).to.equal(true)
    for (const id of ['html', 'xhtml', 'svg', 'svgz', 'epub', 'md', 'fb2']) expect(gotenberg?.targets.has(id), id).to.equal(false)
  })
})

describe('files.convert: plans', () => {
  it('have one step or two, each of which an engine has, and lead from the source to the target', () => {
    fc.assert(
      fc.property(format, format, (from, to) => {
        for (const path of pathsOf(from, to, anyEngine)) {
          expect(path.length).to.be.within(1, 2)
          expect(path[0].from).to.equal(from)
          expect(path.at(-1)?.to).to.equal(to)
          for (const step of path) expect(anyEngine(step.from, step.to), `${step.from} ${step.to}`).to.equal(true)
          if (path.length === 2) expect(path[0].to).to.equal(path[1].from).and.not.be.oneOf([from, to])
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('are straight where an engine has the pair', () => {
    fc.assert(fc.property(format, format, (from, to) => (pathsOf(from, to, anyEngine)[0]?.length === 1) === anyEngine(from, to)))
  })

  it('of pages to pictures go by way of PDF, so that no page is lost', () => {
    for (const from of ['docx', 'xlsx', 'pptx', 'odg', 'rtf'])
      expect(pathsOf(from, 'png', anyEngine)[0], from).to.deep.equal([
        { from, to: 'pdf' },
        { from: 'pdf', to: 'png' },
      ])
  })

  it('never go through what loses much', () => {
    const lossy = ['jpeg', 'mp3', 'txt', 'gif']
    expect(
      Object.values(MIDDLES)
        .flat()
        .filter((id) => lossy.includes(id)),
    ).to.deep.equal([])
  })

  it('go over live engines, and ask an engine without a table of ours', () => {
    const serves = (): boolean => false
    const only = live([{ id: 'sharp', serves }])
    expect(only('png', 'webp')).to.equal(true)
    expect(only('docx', 'pdf')).to.equal(false)
    const strange = live([{ id: 'strange', serves: ({ from, to }) => from === 'docx' && to === 'pdf' }])
    expect(strange('docx', 'pdf')).to.equal(true)
    expect(strange('docx', 'odt')).to.equal(false)
    expect(convertVendors.id).to.equal('files.convert')
  })

  it('of all formats are found in a moment', () => {
    const all = FORMATS.map((each) => matrixOf(livePairs(ENGINES.map(({ vendor }) => ({ id: vendor }))), each, FORMATS).length)
    expect(all.filter((targets) => targets > 0).length).to.be.greaterThan(150)
  })
})

describe('files.convert: names', () => {
  it('unknown formats are reported with the nearest', () => {
    expect(nearestFormats('docxx')).to.include('docx')
    expect(nearestFormats('dcox')).to.include('docx')
    expect(nearestFormats('jpgg')).to.include('jpeg')
    expect(violations({ file_url: 'https://files.test/a', source_format: 'docx', target_format: 'pdv' })).to.have.lengthOf(1)
    expect(violations({ file_url: 'https://files.test/a', source_format: 'docx', target_format: 'pdv' })[0])
      .to.deep.include({ loc: ['target_format'] })
      .and.have.property('msg')
      .that.contains('pdf')
    expect(violations({ file_url: 'https://files.test/a', source_format: 'qqqqqq', target_format: 'pdf' })[0]?.msg).to.contain(
      'GET /v1/files/formats',
    )
  })

  it('of results keep the name of the source', () => {
    const [docx, jpeg] = [formatOf('docx'), formatOf('jpeg')]
    if (docx === null || jpeg === null) throw new Error('no such format')
    expect(resultName(baseName('/a/My%20report.docx', docx), jpeg, null)).to.equal('My report.jpg')
    expect(resultName(baseName('/a/x.DOCX', docx), jpeg, 'zip')).to.equal('x-jpg.zip')
    expect(resultName(baseName('/a/x.tar.docx', docx), jpeg, 2)).to.equal('x.tar-3.jpg')
    expect(baseName('/', docx)).to.equal('file')
    expect(baseName('/%E0%A4%A', docx)).to.equal('%E0%A4%A')
    expect(baseName('/..%2F..%2Fetc%2Fpasswd.docx', docx)).to.not.contain('/')
  })
})

describe('files.convert: how bytes look', () => {
  const seen = async (id: string, data: string | Buffer, complete = false): Promise<boolean> => {
    const shape = formatOf(id)?.is ?? {}
    const pieces = async function* (): AsyncGenerator<Uint8Array> {
      for (const byte of Buffer.from(typeof data === 'string' ? Buffer.from(data, 'latin1') : data))
        yield await Promise.resolve(Buffer.from([byte]))
    }
    return fits(shape, await peek(pieces(), shape.holds), { complete })
  }

  it('is detected regardless of how a file is split into pieces', async () => {
    expect(await seen('docx', 'PK\x03\x04..word/document.xml..')).to.equal(true)
    expect(await seen('docx', 'PK\x03\x04..xl/workbook.xml..')).to.equal(false)
    expect(await seen('pdf', '%PDF-1.7 cut')).to.equal(true)
    expect(await seen('pdf', '%PDF-1.7 cut', true)).to.equal(false)
    expect(await seen('pdf', '%PDF-1.7\n%%EOF\n', true)).to.equal(true)
    expect(await seen('png', '\xff\xd8\xff')).to.equal(false)
    expect(await seen('csv', 'a,b\r\n1,2')).to.equal(true)
    expect(await seen('csv', 'a\0b')).to.equal(false)
    expect(await seen('csv', '')).to.equal(false)
    expect(await seen('csv', Buffer.from('\ufeffa,b', 'utf16le'))).to.equal(true)
    expect(await seen('svg', '<?xml version="1.0"?><svg xmlns="x"/>')).to.equal(true)
    expect(await seen('svg', 'push graphic-context')).to.equal(false)
  })
})
