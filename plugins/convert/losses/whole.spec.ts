import { expect } from 'chai'
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
      expect(reply.headers['x-credits-charged'] ?? '0').to.equal('0')
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
