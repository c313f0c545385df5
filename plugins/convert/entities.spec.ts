import { expect } from 'chai'
import { assertEntities, ENTITY_MARKS } from './entities.js'
import { peek } from './formats/shape.js'

async function refusal(text: string | Buffer): Promise<string | null> {
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(text))
  }
  try {
    assertEntities(await peek(stream(), ENTITY_MARKS))
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
const svg = (declared: string, head = '<?xml version="1.0"?>'): string => `${head}<!DOCTYPE svg [${declared}]><svg><text>&a;</text></svg>`

describe('A8 entities of an XML file', () => {
  it('are read where they are short texts, as drawing programs write them, and where there are none', async () => {
    expect(
      await refusal(svg('<!ENTITY ns_svg "http://www.w3.org/2000/svg"> <!ENTITY ns_xlink \'http://www.w3.org/1999/xlink\'>')),
    ).to.equal(null)
    expect(await refusal(svg('<!ENTITY a "&#65;">'))).to.equal(null)
    expect(await refusal('<svg/>')).to.equal(null)
  })

  it('are refused where they grow, are long, or stand outside', async () => {
    for (const declared of [
      '<!ENTITY l0 "lol"><!ENTITY a "&l0;&l0;">',
      `<!ENTITY a "${'x'.repeat(1_025)}">`,
      '<!ENTITY % p "x">',
      '<!ENTITY a SYSTEM "/etc/passwd">',
      '<!ENTITY a PUBLIC "x" "y">',
      '<!ENTITY a "%p;">',
    ])
      expect(await refusal(svg(declared)), declared.slice(0, 60)).to.match(/entities (that grow|outside)/)
  })

  it('are refused far in, in UTF-16 and in forms that are not understood', async () => {
    expect(await refusal(svg('<!ENTITY a "x">', `<?xml version="1.0"?><!--${' '.repeat(70_000)}-->`))).to.contain('not read')
    const bomb = svg('<!ENTITY l0 "lol"><!ENTITY a "&l0;&l0;">')
    expect(await refusal(Buffer.from(`\ufeff${bomb}`, 'utf16le'))).to.contain('UTF-16')
    expect(await refusal(Buffer.from(`\ufeff${bomb}`, 'utf16le').swap16())).to.contain('UTF-16')
    expect(await refusal(svg('<!ENTITY a "x><svg'))).to.contain('not read')
    expect(await refusal(`\ufeff  ${bomb}`)).to.contain('grow')
  })

  it('in text that is no XML, such as a page about it, are left alone', async () => {
    expect(await refusal('# Bombs\n\n    <!ENTITY a "&b;&b;">\n')).to.equal(null)
  })
})
