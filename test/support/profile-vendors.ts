/** What three vendors and Wikidata say of one person, not quite the same. */

export const ADA = 'https://www.linkedin.com/in/ada-lovelace'

export const records: Readonly<Record<string, unknown>> = {
  peopledatalabs: {
    status: 200,
    likelihood: 9,
    data: {
      full_name: 'Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
      headline: 'Engines',
      summary: true,
      job_title: 'Chief Technology Officer',
      job_company_name: 'Acme',
      location_name: 'Lyon, Auvergne-Rhone-Alpes, France',
      linkedin_url: 'linkedin.com/in/ada-lovelace',
      skills: ['Rust'],
      experience: [
        {
          company: { name: 'Acme' },
          title: { name: 'Chief Technology Officer' },
          start_date: '2021-04',
          end_date: null,
          is_primary: true,
        },
        { company: { name: 'Beta' }, title: { name: 'Engineer' }, start_date: '2015', end_date: '2021-03', is_primary: false },
      ],
      education: [{ school: { name: 'INSA' }, degrees: ['Masters'], majors: ['Computer Science'], start_date: '2010', end_date: '2015' }],
    },
  },
  enrichlayer: {
    public_identifier: 'ada-lovelace',
    profile_pic_url: null,
    full_name: 'Ada Lovelace',
    headline: 'CTO at Acme',
    summary: 'Builds engines.',
    city: 'Lyon',
    country_full_name: 'France',
    skills: ['rust', 'Analysis'],
    experiences: [
      { starts_at: { year: 2014, month: 6 }, ends_at: { year: 2014, month: 9 }, company: 'Gamma', title: 'Intern' },
      { starts_at: { year: 2021, month: 4 }, ends_at: null, company: 'Acme, Inc.', title: 'CTO' },
    ],
    education: [{ starts_at: { year: 2010, month: 9 }, ends_at: { year: 2015, month: 6 }, degree_name: 'MSc', school: 'Insa' }],
  },
  apollo: {
    person: {
      id: 'p1',
      name: 'Ada Lovelace',
      linkedin_url: 'http://www.linkedin.com/in/ada-lovelace',
      title: 'Head of Technology',
      city: 'Paris',
      country: 'France',
      photo_url: 'https://img.test/b.jpg',
      organization: { name: 'Acme', primary_domain: 'acme.example' },
      employment_history: [
        { organization_name: 'Acme', title: 'Head of Technology', start_date: '2021-04-01', end_date: null, current: true },
      ],
    },
  },
}

const item = (id: string) => ({ snaktype: 'value', datavalue: { type: 'wikibase-entityid', value: { 'entity-type': 'item', id } } })
const since = { snaktype: 'value', datavalue: { type: 'time', value: { time: '+2021-04-00T00:00:00Z', precision: 10 } } }
const claim = (mainsnak: unknown, qualifiers: Record<string, unknown> = {}) => ({ mainsnak, rank: 'normal', qualifiers })
const label = (id: string, value: string): [string, unknown] => [id, { id, labels: { en: { value } } }]

/** The reply of Wikidata's entity API to a request about the same person. */
export function wikidataReply(url: string): unknown {
  const query = new URL(url, 'http://127.0.0.1').searchParams
  if (query.get('action') === 'wbsearchentities') return { search: [{ id: 'Q1' }], success: 1 }
  if (query.get('action') === 'query') return { query: { search: [{ title: 'Q1' }] } }
  if (query.get('ids') !== 'Q1')
    return { entities: Object.fromEntries([label('Q10', 'Acme'), label('Q11', 'chief technology officer'), label('Q15', 'Lyon')]) }
  const linkedin = { snaktype: 'value', datavalue: { type: 'string', value: 'ada-lovelace' } }
  const claims = {
    P31: [claim(item('Q5'))],
    P108: [claim(item('Q10'), { P580: [since], P39: [item('Q11')] })],
    P551: [claim(item('Q15'))],
    P6634: [claim(linkedin)],
  }
  return { entities: { Q1: { id: 'Q1', labels: { mul: { value: 'Ada Lovelace' } }, claims } } }
}
