import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { listFile } from './files.js'
import { isDisposable } from './disposable.js'
import { isFreeMail } from './free-mail.js'
import { SortedLines } from './sorted-lines.js'

const linesOf = (name: string): string[] =>
  readFileSync(listFile(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))

describe('emails: lists', () => {
  it('a sorted text is searched line by line', () => {
    const lines = ['aa.test', 'ab.test', 'b.test', 'bb.test', 'c-c.test', 'c.test']
    for (const end of ['', '\n']) {
      const list = new SortedLines(`# a\n# b\n${lines.join('\n')}${end}`)
      for (const line of lines) expect(list.has(line), line).to.equal(true)
      for (const line of ['', 'a', 'aa', 'aa.tes', 'aa.testt', 'z.test', '# a', 'b.test\nbb.test'])
        expect(list.has(line), line).to.equal(false)
    }
    expect(new SortedLines('').has('a')).to.equal(false)
  })

  it('are sorted and name each domain once', () => {
    for (const name of ['free.txt', 'own-free.txt', 'disposable.txt']) {
      const lines = linesOf(name)
      expect(lines, name).to.deep.equal([...new Set(lines)].sort())
    }
  })

  it('mail services for everybody', () => {
    const wanted =
      'gmail.com yahoo.co.uk gmx.de gmx.ch proton.me icloud.com qq.com t-online.de posteo.de posteo.ch tuta.com mail.ru hotmail.com hotmail.se ' +
      'outlook.com live.com aol.com comcast.net orange.fr libero.it docomo.ne.jp ezweb.ne.jp softbank.ne.jp sina.com sina.cn sohu.com aliyun.com 163.com ' +
      'naver.com kakao.com rediffmail.com duck.com fastmail.com mailbox.org zoho.com yandex.ru yandex.kz'
    expect(wanted.split(' ').filter((domain) => !isFreeMail(domain))).to.deep.equal([])
  })

  it('the domain of a company, a paper, a school or a body is no mail service for everybody', () => {
    const companies = linesOf('not-free.txt').map((line) => line.split(' ', 1)[0] ?? '')
    expect(companies).to.include.members(['alibaba.com', 'facebook.com', 'sky.com', 'starbucks.com', 'name.com'])
    const others =
      'example.com google.com mailinator.com joelonsoftware.com ionq.pl amazonses.com mailslurp.com rhalmshouse.co.uk com'.split(' ')
    expect([...companies, ...others, ''].filter((domain) => isFreeMail(domain))).to.deep.equal([])
  })

  it('universities, companies and mail services that people keep are not disposable', () => {
    const list = new SortedLines(readFileSync(listFile('disposable.txt'), 'latin1'))
    const kept = linesOf('not-disposable.txt').map((line) => line.split(' ', 1)[0] ?? '')
    expect(kept).to.include.members(['nus.edu.sg', 'consultant.com', 'hush.com', 'yandex.net'])
    expect([...kept, ...linesOf('free.txt')].filter((domain) => isDisposable(domain, list))).to.deep.equal([])
  })

  it('a host below a disposable domain is disposable, one that shares a suffix with it is not', () => {
    const list = new SortedLines(readFileSync(listFile('disposable.txt'), 'latin1'))
    for (const domain of ['mailinator.com', 'a.mailinator.com', 'a.b.mailinator.com', 'pp.ua', 'ddns.net', 'mooo.com'])
      expect(isDisposable(domain, list), domain).to.equal(true)
    for (const domain of [
      'someone.pp.ua',
      'mail.someone.pp.ua',
      'someone.ddns.net',
      'a.dynu.net',
      'a.mooo.com',
      'a.b.co.cc',
      'a.us.to',
      'com',
      '',
    ])
      expect(isDisposable(domain, list), domain).to.equal(false)
  })
})
