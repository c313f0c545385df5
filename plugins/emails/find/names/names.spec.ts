import { expect } from 'chai'
import fc from 'fast-check'
import { shownPatterns } from './shown-patterns.js'
import { nameForms } from './parts.js'
import { candidatesFor, localOf, PATTERNS, USUAL_PATTERNS, type Pattern } from './patterns.js'
import { spellings } from './spell.js'

const locals = (first: string, last: string, domain = 'example.com', known: readonly Pattern[] = []): string[] =>
  candidatesFor(nameForms(first, last, domain), known).map(({ local }) => local)

describe('emails.find: names and patterns', () => {
  it('the usual twelve of a plain name, in their order', () => {
    expect(locals('Ada', 'Lovelace')).to.deep.equal([
      ...['ada.lovelace', 'alovelace', 'ada', 'adalovelace', 'a.lovelace', 'ada_lovelace', 'lovelace', 'lovelacea'],
      ...['lovelace.ada', 'ada-lovelace', 'ada.l', 'adal'],
    ])
    expect(USUAL_PATTERNS).to.have.length(12)
  })

  const table: readonly (readonly [first: string, last: string, domain: string, wanted: readonly string[]])[] = [
    ['Jürgen', 'Müller', 'example.de', ['juergen.mueller', 'jurgen.muller', 'jmueller', 'jmuller']],
    ['Jürgen', 'Müller', 'example.se', ['jurgen.muller', 'juergen.mueller']],
    ['Anna', 'Weiß', 'example.de', ['anna.weiss', 'aweiss']],
    ['Søren', 'Ødegård', 'example.no', ['soren.odegard', 'soeren.oedegaard']],
    ['Łukasz', 'Żółć', 'example.pl', ['lukasz.zolc']],
    ['Çağla', 'Işık', 'example.tr', ['cagla.isik']],
    ['Sinéad', "O'Brien", 'example.ie', ['sinead.obrien', 'sobrien']],
    ['Gabriele', 'D’Annunzio', 'example.it', ['gabriele.dannunzio']],
    ['Vincent', 'van Gogh', 'example.nl', ['vincent.vangogh', 'vincent.gogh', 'vvangogh', 'vincent.van-gogh']],
    ['Anna', 'von der Heide', 'example.de', ['anna.vonderheide', 'anna.heide', 'aheide']],
    ['Charles', 'de Gaulle', 'example.fr', ['charles.degaulle', 'charles.gaulle']],
    ['Jean-Pierre', 'Dupont', 'example.fr', ['jean-pierre.dupont', 'jeanpierre.dupont', 'jdupont', 'jean.dupont']],
    ['Anne', 'Smith-Jones', 'example.com', ['anne.smith-jones', 'anne.smithjones', 'anne.jones', 'anne.smith']],
    ['María José', 'García López', 'example.es', ['maria.garcia', 'maria.garcialopez', 'mgarcia', 'mariajose.garcia']],
    ['Никита', 'Хрущёв', 'example.ru', ['nikita.khrushchev', 'nkhrushchev']],
    ['Юлия', 'Щербакова', 'example.ru', ['yuliya.shcherbakova', 'iuliia.shcherbakova']],
    ['Григорій', 'Їжак', 'example.ua', ['hryhoriy.yizhak']],
    ['Γιώργος', 'Παπαδόπουλος', 'example.gr', ['giorgos.papadopoulos', 'gpapadopoulos']],
    ['Dr. Ada M.', 'Lovelace PhD', 'example.com', ['ada.lovelace']],
    ['William (Bill)', 'Gates III', 'example.com', ['william.gates', 'wgates']],
    ['M. Night', 'Shyamalan', 'example.com', ['m.shyamalan']],
    ['Ada', 'Van', 'example.com', ['ada.van']],
  ]
  for (const [first, last, domain, wanted] of table)
    it(`${first} ${last} at ${domain}: ${wanted.join(', ')}`, () => {
      const tried = locals(first, last, domain).slice(0, 16)
      expect(tried[0]).to.equal(wanted[0])
      expect(tried).to.include.members([...wanted])
    })

  it('scripts that are not known have none; mailboxes of functions are left out', () => {
    for (const last of ['علي', '山田', 'כהן', 'ინა']) expect(locals('Ada', last)).to.deep.equal([])
    expect(locals('Ada', 'Press')).not.to.include('press')
    expect(locals('Info', 'Lovelace')).not.to.include('info')
  })

  it('any name: local parts that may stand in an address, without repeats', () => {
    const letters = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      fc.string({ unit: fc.constantFrom(...'aäßéçŁøÅ -.\'’,()"0жщьїΣψς'), maxLength: 60 }),
    )
    fc.assert(
      fc.property(letters, letters, fc.constantFrom('example.com', 'example.se', 'example.de'), (first, last, domain) => {
        const all = locals(first, last, domain)
        expect(new Set(all).size).to.equal(all.length)
        for (const local of all)
          expect(local)
            .to.match(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/)
            .and.have.length.at.most(64)
      }),
      { numRuns: 2_000 },
    )
  })

  it('any name: each pattern of it is found again from its address beside the name', () => {
    const name = fc.string({ unit: fc.constantFrom(...'bcdghkmnrtw'), minLength: 3, maxLength: 9 })
    fc.assert(
      fc.property(name, name, fc.constantFrom(...PATTERNS), (first, last, pattern) => {
        fc.pre(first !== last)
        const local = localOf(pattern, first, last)
        const known = shownPatterns([{ address: `${local}@example.com`, first_name: first, last_name: last }], 'example.com')
        fc.pre(known.length > 0)
        expect(known.map((each) => localOf(each, first, last))).to.include(local)
        expect(locals('Ada', 'Lovelace', 'example.com', known).slice(0, known.length)).to.include(
          localOf(known[0] ?? pattern, 'ada', 'lovelace'),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('what addresses alone show', () => {
    const known = (...addresses: string[]): readonly Pattern[] =>
      shownPatterns(
        addresses.map((address) => ({ address, first_name: null, last_name: null })),
        'example.com',
      )
    expect(known('grace.hopper@example.com')).to.deep.equal(['first.last'])
    expect(known('g.hopper@example.com', 'a.turing@example.com', 'ann.bo@example.com')).to.deep.equal(['f.last', 'first.last'])
    expect(known('grace_hopper@example.com', 'alan-t@example.com')).to.deep.equal(['first_last'])
    expect(known('info@example.com', 'ghopper@example.com', 'grace.hopper@example.org', 'nonsense', '@example.com')).to.deep.equal([])
  })

  it('spellings', () => {
    expect(spellings('Müller', true)).to.deep.equal(['mueller', 'muller'])
    expect(spellings('Müller', false)).to.deep.equal(['muller', 'mueller'])
    expect(spellings('Straße', true)).to.deep.equal(['strasse'])
    expect(spellings('MU\u0308LLER', true)[0]).to.equal('mueller')
    expect(spellings('日本', true)).to.deep.equal([])
  })

  it('N14 double first names are written with both initials too, within the mailboxes that are asked for', () => {
    const asked = (first: string, last: string) =>
      candidatesFor(nameForms(first, last, 'acme.com'))
        .slice(0, 16)
        .map(({ local }) => local)
    expect(asked('Jean-Paul', 'Lefebvre')).to.include.members(['jplefebvre', 'jp.lefebvre', 'jlefebvre'])
    expect(asked('Anna Maria', 'Rossi')).to.include('amrossi')
    expect(asked('Hans-Jürgen', 'Weber')).to.include('hjweber')
    expect(asked('John', 'Smith')).not.to.include('jjsmith')
    expect(nameForms('John Q.', 'Smith', 'acme.com').initials).to.equal(null)
  })
})
