import { expect } from 'chai'
import { withCurrentFirst } from './current-job.js'
import type { Job } from './record.js'

const job = (company: string | null, title: string | null, start: string | null, end: string | null = null): Job => ({
  company,
  title,
  start_date: start,
  end_date: end,
  current: end === null,
})
const short = ({ company, title, experience }: ReturnType<typeof withCurrentFirst>) => [
  company,
  title,
  experience.map((each) => `${each.company ?? '-'}|${each.title ?? '-'}|${each.start_date ?? '-'}|${each.end_date ?? '-'}`),
]

describe('the current job', () => {
  it('comes first and is the one stated, then the latest', () => {
    const jobs = [
      job('Beta', 'Clerk', '2010', '2012'),
      job('Gamma', 'Adviser', '2023'),
      job('Acme', 'CTO', '2021-04'),
      job('Delta', 'Dev', '2012', '2020-05'),
    ]
    expect(short(withCurrentFirst([{ company: 'ACME Inc.', title: 'cto' }], jobs))).to.deep.equal([
      'ACME Inc.',
      'cto',
      ['ACME Inc.|cto|2021-04|-', 'Gamma|Adviser|2023|-', 'Delta|Dev|2012|2020-05', 'Beta|Clerk|2010|2012'],
    ])
  })

  it('is the only one that goes on at the company, whatever its title is called', () => {
    const stated = { company: 'Acme', title: 'CTO' }
    expect(short(withCurrentFirst([stated], [job('Acme', 'Chief Technology Officer', '2021')]))).to.deep.equal([
      'Acme',
      'CTO',
      ['Acme|CTO|2021|-'],
    ])
  })

  it('is added when no list has it', () => {
    expect(short(withCurrentFirst([{ company: 'Acme', title: 'CTO' }], []))).to.deep.equal(['Acme', 'CTO', ['Acme|CTO|-|-']])
  })

  it('is not one that the jobs say has ended', () => {
    const heads = [
      { company: 'Acme', title: 'CTO' },
      { company: 'Beta', title: null },
    ]
    const jobs = [job('Acme', 'CTO', '2019', '2023-05'), job('Beta', 'CEO', '2023-06')]
    expect(short(withCurrentFirst(heads, jobs))).to.deep.equal(['Beta', 'CEO', ['Beta|CEO|2023-06|-', 'Acme|CTO|2019|2023-05']])
    expect(short(withCurrentFirst(heads.slice(0, 1), jobs.slice(0, 1)))).to.deep.equal([null, null, ['Acme|CTO|2019|2023-05']])
  })

  it('is the latest that goes on where nobody states one', () => {
    expect(short(withCurrentFirst([], [job('Acme', 'CTO', '2019'), job('Beta', null, '2022')]))).to.deep.equal([
      'Beta',
      null,
      ['Beta|-|2022|-', 'Acme|CTO|2019|-'],
    ])
    expect(short(withCurrentFirst([], []))).to.deep.equal([null, null, []])
  })

  it('takes a title that another vendor states at the same company, and none of another company', () => {
    const acme = { company: 'Acme', title: null }
    expect(short(withCurrentFirst([acme, { company: 'Acme Ltd', title: 'CTO' }], []))).to.deep.equal(['Acme', 'CTO', ['Acme|CTO|-|-']])
    expect(short(withCurrentFirst([acme, { company: 'Beta', title: 'CEO' }], []))).to.deep.equal(['Acme', null, ['Acme|-|-|-']])
  })
})
