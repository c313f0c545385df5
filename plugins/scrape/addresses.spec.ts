import { expect } from 'chai'
import { webLinks } from './page/vendor-markdown.js'
import { addresses } from './work/addresses.js'

/** Processor time of work in milliseconds, which is independent of other load. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('scrape: addresses in a text', () => {
  it('lists each once, in order, without the signs that end a sentence', () => {
    const text = 'See http://a.example/x., (https://b.example/?q=1) *HTTP://C.example*, http://a.example/x and http://. and http://[x!'
    expect(addresses(text)).to.deep.equal(['http://a.example/x', 'https://b.example/?q=1', 'http://c.example/'])
  })

  it('keeps such signs inside an address', () => {
    expect(addresses('http://a.example/x..y!z!.')).to.deep.equal(['http://a.example/x..y!z'])
  })

  it('T-32 takes linear time for runs of dots that end in a letter', () => {
    const line = `http://a${'.'.repeat(1980)}x\n`
    const text = line.repeat(500)
    expect(processorMs(() => addresses(text))).to.be.below(1000)
  })

  it('T-32 counts those it looked at, not those it keeps', () => {
    const same = 'http://a.example/ '.repeat(10_000)
    expect(addresses(`${same}http://b.example/`)).to.deep.equal(['http://a.example/'])
    expect(addresses(`${'http://[ '.repeat(10_000)}http://b.example/`)).to.deep.equal([])
  })

  it('keeps at most 5,000', () => {
    const many = Array.from({ length: 6000 }, (_, at) => `http://a.example/${at}`)
    expect(addresses(many.join(' '))).to.have.length(5000)
    expect(webLinks(many)).to.have.length(5000)
  })

  it('T-32 looks at 10,000 links of a vendor, none of them longer than 8,192 characters', () => {
    expect(webLinks([...Array.from({ length: 10_000 }, () => 'http://a.example/'), 'http://b.example/'])).to.deep.equal([
      'http://a.example/',
    ])
    expect(webLinks([`http://a.example/${'x'.repeat(8192)}`])).to.deep.equal([])
  })
})
