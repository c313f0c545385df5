import { expect } from 'chai'
import sharp from 'sharp'
import { needs } from '../../../test/support/exec-sandbox.js'
import { ConversionWorld } from '../../../test/support/conversions/world.js'

const page = (body: string): string => `<!doctype html><meta charset="utf-8"><title>x</title><body>${body}</body>`

describe('files.convert: pages without anything on them', function () {
  this.timeout(300_000)
  let world: ConversionWorld
  before(async function () {
    needs(this, 'chromium-headless-shell', 'pdftoppm', 'bwrap')
    world = await ConversionWorld.start('chromium')
  })
  after(async () => {
    await world?.close()
  })

  it('F5 a page whose text does not show is refused and costs nothing, as PDF and as a picture; an empty page is converted', async () => {
    for (const to of ['pdf', 'png']) {
      const reply = await world.ask({ data: page('<p style="color:#fff">words that nobody sees</p>'), from: 'html', to })
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.text).to.contain(`The ${to} file is blank, though the html file has text.`)
      expect(reply.json<{ credits_used: number }>().credits_used).to.equal(0)
    }
    expect((await world.convert({ data: page(''), from: 'html', to: 'pdf' })).notes).to.deep.equal([])
  })

  it('F5 a blank page between others is named, one that the page asks for is not', async () => {
    const words = '<p>first</p><div style="height:2600px"></div><p>last</p>'
    expect((await world.convert({ data: page(words), from: 'html', to: 'pdf' })).notes).to.deep.equal(['Page 2 of the result is blank.'])
    const broken = '<p>first</p><div style="page-break-before:always">&nbsp;</div><p style="page-break-before:always">last</p>'
    expect((await world.convert({ data: page(broken), from: 'html', to: 'pdf' })).notes).to.deep.equal([])
  })
})

describe('files.convert: photographs of more than 40 megapixels', function () {
  this.timeout(120_000)

  it('become no PDF: the answer says how many they have and how many are taken, and costs nothing', async function () {
    needs(this, 'soffice', 'bwrap')
    const world = await ConversionWorld.start('libreoffice', 'sharp')
    try {
      const photo = sharp({ create: { width: 7_000, height: 6_000, channels: 3, background: '#336699' } })
      for (const from of ['jpeg', 'tiff'] as const) {
        const data = await photo.clone().toFormat(from).toBuffer()
        const reply = await world.ask({ data, from, to: 'pdf' })
        expect(reply.status, reply.text).to.equal(422)
        expect(reply.text).to.contain('has 42 million pixels; at most 40 million are taken.')
        expect(reply.json<{ credits_used: number }>().credits_used).to.equal(0)
      }
    } finally {
      await world.close()
    }
  })
})

describe('files.convert: a workbook of several sheets', function () {
  this.timeout(300_000)

  it('becomes a table of its first sheet with a note that names the others, and a page of all of them without one', async function () {
    needs(this, 'soffice', 'bwrap')
    const world = await ConversionWorld.start('tables', 'libreoffice')
    try {
      const data = Buffer.from(
        '<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>' +
          ['Boats', 'Costs', 'Notes']
            .map(
              (name) =>
                `<table:table table:name="${name}"><table:table-row><table:table-cell office:value-type="string"><text:p>about ${name}</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell office:value-type="string"><text:p>more</text:p></table:table-cell></table:table-row></table:table>`,
            )
            .join('') +
          '</office:spreadsheet></office:body></office:document>',
      )
      for (const to of ['csv', 'json']) {
        const { bytes, notes } = await world.convert({ data, from: 'fods', to })
        expect(bytes.toString()).to.contain('about Boats').and.not.contain('about Costs')
        expect(notes[0], to).to.equal('2 sheets were left out: Costs, Notes.')
      }
      const { bytes, notes } = await world.convert({ data, from: 'fods', to: 'html' })
      expect(bytes.toString()).to.contain('about Boats').and.contain('about Costs').and.contain('about Notes')
      expect(notes).to.deep.equal([])
    } finally {
      await world.close()
    }
  })
})
