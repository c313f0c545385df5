import { expect } from 'chai'
import { definitionList } from '../../../config/default.js'
import { OPEN_GROUPS } from '../../../core/config/layout.js'
import { complaintsAbout, some, type Answered, type Mistake } from '../../support/mistakes.js'
import { SETTING_MISTAKES, settingMistakes } from './answers.js'

const LEAST = 5

describe('mistakes with the settings', function () {
  this.timeout(120_000)
  let mistakes: readonly Mistake[]
  let answers: readonly Answered[]
  before(async () => {
    ;({ mistakes, answers } = await settingMistakes(some))
  })

  const names = [...definitionList.map(({ name }) => name), ...OPEN_GROUPS]
  it(`each of the ${definitionList.length} settings and of the ${OPEN_GROUPS.length} groups has ${LEAST} of its own`, () => {
    const few = names.filter((name) => new Set(SETTING_MISTAKES.filter(({ of }) => of === name).map(({ tried }) => tried)).size < LEAST)
    expect(few).to.deep.equal([])
    expect(SETTING_MISTAKES.map(({ of }) => of).filter((of) => of !== 'the file' && !names.includes(of))).to.deep.equal([])
  })

  it(`each setting that a plugin or a vendor declares has ${LEAST} of its own`, () => {
    const declared = mistakes.map(({ of }) => of).filter((of) => /^(?:plugins|vendors)\./.test(of))
    expect(new Set(declared).size).to.be.above(50)
    expect([...new Set(declared)].filter((name) => declared.filter((of) => of === name).length < LEAST)).to.deep.equal([])
  })

  it('no mistake is listed twice', () => {
    const tried = mistakes.map((each) => each.tried)
    expect(tried.filter((each, at) => tried.indexOf(each) !== at)).to.deep.equal([])
  })

  it('every answer names the setting, its place and what is wanted, in a few lines', () =>
    expect(answers.flatMap(complaintsAbout)).to.deep.equal([]))

  it('one mistake is one problem, and no line says the same twice', () => {
    const twice = answers.filter(({ answer }) => {
      const lines = answer.split('\n').map((line) => line.split(': '))
      const places = lines.map(([, place]) => place)
      return new Set(places).size < places.length || lines.some(([, place, ...rest]) => rest.join(': ').startsWith(`${place} `))
    })
    expect(twice.map(({ tried, answer }) => `${tried}: ${answer}`)).to.deep.equal([])
  })

  it('a mistake that changes what is in force is an error, an unknown variable a warning', () => {
    const mild = answers.filter(({ code, answer }) => code === 0 && !answer.startsWith('warning: '))
    expect(mild.map(({ tried }) => tried)).to.deep.equal([])
  })
})
