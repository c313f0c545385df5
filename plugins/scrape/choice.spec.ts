import { expect } from 'chai'
import extract from './work/extract.js'

function read(html: string): string {
  const found = extract({ html, url: 'https://a.example/dir/page', output: 'markdown', selector: null })
  if ('limit' in found) throw new Error(found.limit)
  return found.content
}

const words = 'The kettle was found on the shelf behind the stove, where it had stood since the autumn, and nobody had missed it. '
const links = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<div><a href="/${at}">A section of the site ${at}</a></div>`).join('')

describe('scrape: what of a page is its content', () => {
  it('is the article below the heading, however long the navigation in plain elements is', () => {
    const found = read(
      `<title>Kettle found - Site</title><div>${links(300)}</div><div><h1>Kettle found</h1><p>${words.repeat(3)}</p><p>${words}</p></div>`,
    )
    expect(found).to.equal(`# Kettle found\n\n${words.repeat(3).trim()}\n\n${words.trim()}`)
  })

  it('is the list where the heading is that of a list, whatever introduces it', () => {
    const items = Array.from({ length: 40 }, (_, at) => `<li><a href="/k${at}">Kettle of the kind ${at}</a> ${at} litres</li>`).join('')
    const found = read(`<title>Kettles</title><div>${links(5)}</div><div><h1>Kettles</h1><p>${words.repeat(3)}</p><ul>${items}</ul></div>`)
    expect(found).to.contain(words.trim()).and.to.contain('Kettle of the kind 39')
  })

  it('is not a window that asks for consent, unless nothing else is there', () => {
    const ask = `<div class="cookie-banner"><p>We and our partners store cookies.</p></div>`
    expect(read(`${ask}<p>Tea.</p>`)).to.equal('Tea.')
    expect(read(ask)).to.equal('We and our partners store cookies.')
    expect(read('<div class="has-cookie-banner-open"><p>Tea.</p></div>')).to.equal('Tea.')
  })

  it('has the header of the article, not that of the page', () => {
    expect(read(`<header>Site</header><article><header><p>Tea is served.</p></header><p>${words}</p></article>`)).to.equal(
      `Tea is served.\n\n${words.trim()}`,
    )
  })
})
