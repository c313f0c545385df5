import { expect } from 'chai'
import { codePageOf } from './code-page.js'
import { assertNames, namesOf } from './listing.js'

const named = (...names: string[]): string | undefined => codePageOf(names.map((name) => Buffer.from(name, 'hex')))?.id

describe('names of an archive in a code page', () => {
  it('F15 are detected by the letters of their bytes', () => {
    expect(named('936e91442f8e9e8d8f955c2e747874', '936e91442f93c782f182c52e747874')).to.equal('CP932')
    expect(named('8eca905e2e6a7067')).to.equal('CP932')
    expect(named('494d475f8d602e747874', '838183822e747874')).to.equal('CP932')
    expect(named('46846872652f9a62657273696368742e747874', '636166822e747874')).to.equal('CP437')
    expect(named('4b946e69672e747874')).to.equal('CP437')
    expect(named('477294e1652e706466', '53747261e1652e706466')).to.equal('CP437')
    expect(named('64826a852076752e747874')).to.equal('CP437')
    expect(named('53c66f204a6fc66f2e747874', '636f726187c66f2e747874')).to.equal('CP850')
    expect(named('e96c74696d6f2e747874', '6ec66f2e747874')).to.equal('CP850')
    expect(named('8fe0a8a2a5e22e747874')).to.equal('CP866')
    expect(named('a4a0adadeba52faee2e7f1e22e646f63')).to.equal('CP866')
    expect(named('91e7f1e22031322e706466')).to.equal('CP866')
    expect(named('b7a2c6b1bac5c2eb2e706466')).to.equal('CP936')
    expect(named('d0c2bda8cec4bcfebcd02fcbb5c3f72e747874')).to.equal('CP936')
    expect(named('bfb5bcf6c1f520b9f8c8a32e706466')).to.equal('CP949')
    expect(named('c8b8c0c720c0dab7e12fbab8b0edbcad2e687770')).to.equal('CP949')
    expect(named('b56fb2bcb8b9bd582e706466')).to.equal('CP950')
    expect(named('b773b8eaaec6a7a82fbba1a9fa2e747874')).to.equal('CP950')
  })

  it('F15 are left alone when they are UTF-8', () => {
    expect(codePageOf([Buffer.from('plain.txt'), Buffer.from('\u6e21\u8239.txt')])).to.equal(null)
  })

  it('F15 are refused only where they lead out, by their bytes: a second byte that is a backslash is none', () => {
    const refused = (list: string): boolean => {
      try {
        assertNames(namesOf(list))
        return false
      } catch {
        return true
      }
    }
    for (const list of ['\\223n\\221D/\\216\\236\\215\\217\\225\\\\.txt\n', 'a\\\\b.txt\n', 'a/../b\n', 'line\\nbreak\n'])
      expect(refused(list), list).to.equal(false)
    for (const list of ['../a\n', '/a\n', 'a/../../b\n', '..\\\\a\n', 'a\\\\..\\\\..\\\\b\n', '\\\\\\\\host\\\\a\n', 'C:\\\\a\n'])
      expect(refused(list), list).to.equal(true)
  })
})
