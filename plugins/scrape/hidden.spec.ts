import { expect } from 'chai'
import extract, { type Extracted } from './work/extract.js'

function read(html: string): Extracted {
  const found = extract({ html, url: 'https://a.example/dir/page', output: 'markdown', selector: null })
  if ('limit' in found) throw new Error(found.limit)
  return found
}

const PARAGRAPHS = [
  'The ferry across the sound has run since 1911, and in all that time the timetable was printed only twice a year, in March and in October.',
  'In winter the crossing takes forty minutes, in summer a little less, because the larger boat is used and the channel is free of ice.',
  'When the harbour was rebuilt, the council kept the old crane as a landmark. It has not lifted anything since the nineteen sixties.',
]
const TEXT = PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')
const page = (body: string): string =>
  `<!doctype html><html><head><title>Crossing</title></head><body><header><nav><a href="/">Home</a></nav></header>${body}<footer><p>Harbour Guide</p></footer></body></html>`

describe('scrape: F7 pages that are sent in parts', () => {
  const waiting = (name: string, text = 'Loading the guide...'): string =>
    `<!--$?--><template id="${name}"></template><div class="skeleton" role="status">${text}</div><!--/$-->`
  const expectWhole = (html: string, title = '# Crossing'): void => {
    const { content, notes, verdict } = read(html)
    expect(content).to.equal(`${title}\n\n${PARAGRAPHS.join('\n\n')}`)
    expect({ notes, verdict }).to.deep.equal({ notes: [], verdict: null })
  }

  it('F7 a part of a stream of React takes the place of what waited for it', () =>
    expectWhole(
      page(`<main>${waiting('B:0')}</main>`) + `<div hidden id="S:0"><h1>Crossing</h1>${TEXT}</div><script>$RC("B:0","S:0")</script>`,
    ))

  it('F7 parts come into their places whatever their order and numbers, also within each other', () => {
    const [one = '', two = '', three = ''] = PARAGRAPHS
    const parts = `<div hidden id="S:2"><p>${two}</p></div><div hidden id="S:1"><h1>Crossing</h1><p>${one}</p><template id="P:2"></template></div>
      <script>$RS("S:2","P:2");$RC("B:1","S:1")</script><div hidden id="S:3"><p>${three}</p></div><script>$RC("B:0","S:3")</script>`
    expectWhole(page(`<main>${waiting('B:1')}${waiting('B:0')}</main>${parts}`))
  })

  it('F7 a part of a stream of Solid takes its place', () =>
    expectWhole(
      page(`<main><h1>Crossing</h1><template id="pl-0-1"></template><p>Loading...</p><!--pl-0-1--></main>`) +
        `<template id="0-1">${TEXT}</template><script>$df("0-1")</script>`,
    ))

  it('F7 what never came stays what it was, and what has no place is kept', () => {
    const { content } = read(page(`<main><h1>Crossing</h1>${TEXT}${waiting('B:0', 'The reviews are on their way.')}</main>`))
    expect(content).to.contain(PARAGRAPHS[2]).and.to.contain('The reviews are on their way.')
    expect(read(page(`<main><p>Loading</p></main><div hidden id="S:7"><h1>Crossing</h1>${TEXT}</div>`)).content).to.contain(PARAGRAPHS[2])
  })

  it('F7 a page of parts that name each other, or lie deeper than a reader follows, is read once and in linear time', () => {
    const circle = `<template id="P:1"></template><div hidden id="S:1"><p>One</p><template id="P:2"></template></div><div hidden id="S:2"><p>Two</p><template id="P:1"></template></div>`
    expect(read(page(circle)).content.match(/One|Two/g)).to.have.members(['One', 'Two'])
    const chain = Array.from(
      { length: 20_000 },
      (_, at) => `<div hidden id="S:${at.toString(16)}">x${at}<template id="P:${(at + 1).toString(16)}"></template></div>`,
    )
    expect(read(page(`<template id="P:0"></template>${chain.join('')}`)).content.match(/x\d+/g)).to.have.length(20_000)
  })
})

describe('scrape: F7 parts that a reader opens', () => {
  const guide = (inside: string): string => page(`<main><h1>Questions</h1>${TEXT}${inside}</main>`)

  it('F7 are read with their titles: accordions, tabs, and what a search within the page finds', () => {
    const { content, notes } = read(
      guide(`<div><button aria-expanded="false" aria-controls="p2">Is there a car deck?</button><div id="p2" hidden><p>The car deck takes nine cars.</p></div></div>
        <h3><button aria-expanded="false" data-bs-toggle="collapse" data-bs-target="#p3">May I bring a dog?</button></h3><div id="p3" style="display: none"><p>Dogs need a ticket.</p></div>
        <div role="tablist"><button role="tab" id="t1" aria-controls="w">Winter</button></div><div role="tabpanel" id="w" aria-labelledby="t1" style="display:none" aria-hidden="true"><p>The first boat leaves at six forty.</p></div>
        <div hidden="until-found"><p>Lost property is kept for ninety days.</p></div>
        <button aria-expanded="false">Refunds</button><div hidden><p>Within a week.</p></div>
        <div class="faq-answer" style="visibility:hidden"><p>Bicycles travel free.</p></div>`),
    )
    expect(content).to.contain('**Is there a car deck?**\n\nThe car deck takes nine cars.')
    expect(content).to.contain('### May I bring a dog?\n\nDogs need a ticket.')
    expect(content).to.contain('**Winter**\n\nThe first boat leaves at six forty.')
    expect(content)
      .to.contain('Lost property is kept for ninety days.')
      .and.to.contain('**Refunds**\n\nWithin a week.')
      .and.to.contain('Bicycles travel free.')
    expect(notes).to.deep.equal([])
  })

  it('F7 are no menus, forms and windows, whatever opens them', () => {
    const { content, notes } = read(
      guide(`<button aria-expanded="false" aria-controls="m">Menu</button><ul id="m" hidden><li><a href="/a">Departures</a></li><li><a href="/b">Harbours</a></li></ul>
        <button aria-controls="f">Filter</button><form id="f" hidden>Only boats with a deck for cars</form>
        <button aria-controls="d">Help</button><div id="d" role="dialog" hidden><p>Call the desk.</p></div>
        <script type="text/template"><p>Never</p></script><template><p>{{ name }} says: {{ words }} and much more, in a text that is longer than forty characters</p></template>`),
    )
    expect(content).not.to.match(/Departures|Only boats|Call the desk|Menu|Filter|Never|says/)
    expect(notes).to.deep.equal([])
  })

  it('F7 other hidden text is counted in a note from 200 characters on, and a dialog with it', () => {
    expect(read(guide(`<div hidden>${TEXT}</div><dialog><p>${PARAGRAPHS[0] ?? ''}</p></dialog>`)).notes).to.deep.equal([
      `2 hidden parts of the page with ${PARAGRAPHS.join('').length + (PARAGRAPHS[0] ?? '').length} characters of text were left out.`,
    ])
    expect(read(guide(`<div aria-hidden="true">${PARAGRAPHS[0] ?? ''}</div>`)).notes).to.deep.equal([])
  })
})

describe('scrape: F7 pages that show less than they hide', () => {
  const cases = {
    'a skeleton beside a hidden article': `<div class="skeleton">Loading the guide...</div><article style="display:none"><h1>Crossing</h1>${TEXT}</article><script>show()</script>`,
    'a template that a script would show': `<div id="app">Please wait</div><template id="page"><h1>Crossing</h1>${TEXT}</template><script>show()</script>`,
    'a dialog that holds all of it': `<p>One moment</p><dialog><h1>Crossing</h1>${TEXT}</dialog><script>show()</script>`,
  }
  for (const [name, body] of Object.entries(cases))
    it(`F7 are read from what they hide: ${name}`, () => {
      const { content, verdict } = read(page(body))
      for (const text of PARAGRAPHS) expect(content).to.contain(text)
      expect(verdict).to.equal(null)
    })

  it('F7 stay what they are where they hide little, and where they refuse their visitor', () => {
    expect(read(page('<p>Loading...</p><div hidden>Try again later</div><script>1</script>')).content).not.to.contain('Try again')
    const wall = `<title>Access Denied</title><h1>Access Denied</h1><p>You do not have permission.</p><div hidden>${TEXT}</div>`
    expect(read(wall).verdict?.kind).to.equal('block')
  })
})
