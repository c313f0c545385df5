import { expect } from 'chai'
import { entitiesOf } from './entities.js'
import { factsIn } from './facts.js'
import { fieldsOf } from './kinds.js'
import { stemOf, tokensOf } from './words.js'

describe('the playground: parts of a sentence', () => {
  const found = (text: string): string[] => entitiesOf(text).map(({ kind, value }) => `${kind} ${value}`)

  it('addresses, domains, mails, telephones and endings of domains are found without the punctuation around them', () => {
    expect(found('See (https://example.com/a_(b)), mail ada@example.com; or call +49 (171) 123-4567!')).to.deep.equal([
      'url https://example.com/a_(b)',
      'email ada@example.com',
      'phone +491711234567',
    ])
    expect(found('Is example.org, a.example.net/x or .dev free?')).to.deep.equal([
      'domain example.org',
      'url https://a.example.net/x',
      'ending dev',
    ])
    expect(found('the file notes.txt, version 1.2.3, e.g. this')).to.deep.equal([])
  })

  it('a quotation holds what is in it, an apostrophe is none, and what begins first holds the other', () => {
    expect(found(`it's "what's new" and 'so on'`)).to.deep.equal([`quoted what's new`, 'quoted so on'])
    expect(found('say "see example.com" and `print("x")`')).to.deep.equal(['quoted see example.com', 'code print("x")'])
    expect(found('read "https://example.com/a b" „für alle“ «tous»')).to.deep.equal([
      'url https://example.com/a b',
      'quoted für alle',
      'quoted tous',
    ])
    expect(found('```js\nlet a = 1\n``` and "no end')).to.deep.equal(['code let a = 1'])
  })

  it('forms of a word are one word', () => {
    for (const forms of [
      'transcribe transcribes transcribing transcribed',
      'query queries',
      'cut cutting',
      'invoice invoices',
      'say said says',
    ])
      expect(new Set(forms.split(' ').map(stemOf)), forms).to.have.length(1)
  })

  it('numbers, sizes, places and periods are given to the parameters that they are for', () => {
    const number = (description: string) => ({ type: 'integer', description })
    const properties = {
      width: number('Pixels.'),
      height: number('Pixels.'),
      timeout: number('Seconds it may take.'),
      num_results: number('How many.'),
      country: { type: 'string' },
      language: { type: 'string' },
      freshness: { type: 'string', enum: ['any', 'day', 'week', 'month'] },
      full_page: { type: 'boolean' },
      due: { type: 'string', format: 'date' },
      include_image: { type: 'boolean' },
    }
    const facts = (text: string): Record<string, unknown> =>
      Object.fromEntries(factsIn(tokensOf(text), fieldsOf({ properties }, {}, new Set())).map(({ field, value }) => [field, value]))
    expect(facts('640x480, with a timeout of 2 minutes, 30 results')).to.deep.equal({
      width: 640,
      height: 480,
      timeout: 120,
      num_results: 30,
    })
    expect(facts('800 px wide in Germany from the past week, in French')).to.deep.equal({
      width: 800,
      country: 'de',
      freshness: 'week',
      language: 'fr',
    })
    expect(facts('the full page without image')).to.deep.equal({ full_page: true, include_image: false })
    for (const date of ['2025-11-07', '7 November 2025', 'Nov 7th, 2025', 'on the 7th Nov 2025'])
      expect(facts(`remind me, ${date}, please`), date).to.deep.equal({ due: '2025-11-07' })
    expect(facts('in the end of the week, 7 times')).to.deep.equal({})
  })
})
