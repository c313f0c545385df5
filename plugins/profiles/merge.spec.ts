import { expect } from 'chai'
import { isFull, profileOf } from './merge.js'
import { emptyPerson, type Job, type PersonRecord, type Study } from './record.js'

/** One without an end is ongoing, except that of June 2015, whose end is unknown. */
const job = (company: string | null, title: string | null, start: string | null, end: string | null = null): Job => ({
  company,
  title,
  start_date: start,
  end_date: end,
  current: end === null && start !== '2015-06',
})
const study = (school: string, degree: string | null, end: string | null): Study => ({
  school,
  degree,
  field_of_study: null,
  start_date: null,
  end_date: end,
})
const merge = (first: Partial<PersonRecord>, ...others: Partial<PersonRecord>[]) => {
  const answer = (data: Partial<PersonRecord>, order: number) => ({ provider: `v${order + 1}`, order, data: { ...emptyPerson(), ...data } })
  return profileOf([answer(first, 0), ...others.map((data, at) => answer(data, at + 1))])
}

describe('profiles of several records', () => {
  it('take each field from the first vendor that has it, and say whose it is', () => {
    const { profile, remarks } = merge({ first_name: 'Ada', headline: null }, { first_name: 'Augusta', headline: 'Engines' })
    expect(profile).to.include({ first_name: 'Ada', headline: 'Engines' })
    expect(remarks).to.deep.equal(['From v1: first_name.', 'From v2: headline.', 'first_name: v1 is taken, v2 differs.'])
  })

  it('unite jobs of one company and beginning, and keep apart what follows at the same company', () => {
    const { profile } = merge(
      { experience: [job('Acme', 'CTO', '2021-04'), job('Acme', 'Dev', '2015', '2021-03')] },
      {
        experience: [
          job('Acme Inc.', 'Chief Technology Officer', '2021'),
          job('ACME', null, '2015-06'),
          job('Beta', 'Intern', '2014', '2014'),
        ],
      },
    )
    expect(profile.experience).to.deep.equal([
      { company: 'Acme', title: 'CTO', start_date: '2021-04', end_date: null },
      { company: 'Acme', title: 'Dev', start_date: '2015', end_date: '2021-03' },
      { company: 'Beta', title: 'Intern', start_date: '2014', end_date: '2014' },
    ])
    expect(profile).to.include({ company: 'Acme', title: 'CTO' })
  })

  it("compare a job that goes on with another vendor's end, and do not take it over", () => {
    const { profile, remarks } = merge(
      { experience: [job('Acme', 'CTO', '2021')] },
      { experience: [job('Acme', 'CTO', '2021', '2023-05')] },
    )
    expect(profile.experience).to.deep.equal([{ company: 'Acme', title: 'CTO', start_date: '2021', end_date: null }])
    expect(remarks).to.include('experience.end_date: v1 is taken, v2 differs.')
  })

  it('unite schools, the latest first, and skills whatever their case', () => {
    const { profile } = merge(
      { education: [study('Lycée', null, '2010'), study('INSA', 'MSc', '2015')], skills: ['Rust'] },
      { education: [study('Insa', null, null)], skills: ['rust', 'C++', 'C'] },
    )
    expect(profile.education.map(({ school, end_date }) => [school, end_date])).to.deep.equal([
      ['INSA', '2015'],
      ['Lycée', '2010'],
    ])
    expect(profile.skills).to.deep.equal(['Rust', 'C++', 'C'])
  })

  it('make the whole name of first and last name, and say nothing of a person in remarks', () => {
    const { profile, remarks } = merge({ first_name: 'Ada', last_name: 'Lovelace', experience: [job('Acme', 'CTO', null)] })
    expect(profile.full_name).to.equal('Ada Lovelace')
    expect(remarks.join()).to.not.match(/Ada|Lovelace|Acme|CTO/)
  })

  it('are full when nothing but a picture that is not wanted is missing', () => {
    const text = {
      first_name: 'a',
      last_name: 'b',
      headline: 'c',
      company: 'd',
      title: 'e',
      location: 'f',
      summary: 'g',
      linkedin_url: 'h',
    }
    const { profile } = merge({ ...text, experience: [job('d', 'e', '2020')], education: [study('s', null, null)], skills: ['x'] })
    expect(isFull(profile, false)).to.equal(true)
    expect(isFull(profile, true)).to.equal(false)
    expect(isFull({ ...profile, skills: [] }, false)).to.equal(false)
  })
})
