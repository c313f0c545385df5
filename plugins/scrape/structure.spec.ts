import { expect } from 'chai'
import extract from './work/extract.js'
import { joinIdeographs } from './work/ideographs.js'

function read(html: string, output: 'markdown' | 'html' = 'markdown'): string {
  const found = extract({ html, url: 'https://a.example/dir/page', output, selector: null })
  if ('limit' in found) throw new Error(found.limit)
  return found.content
}

describe('scrape: footnotes', () => {
  it('are references and definitions where a note leads back to its reference', () => {
    const page = `<p>One<sup id="r1"><a href="#n1">1</a></sup>, two<sup><a id="r2" href="#n2">[2]</a></sup>, one again<sup id="r3"><a href="#n1">1</a></sup>,
      a mark<a href="#t" id="q">*</a>.</p><h2>Notes</h2><ol><li id="n1"><p>First, see <a href="#n2">2</a>. <a href="#r1">↩</a> <a href="#r3">↩</a></p><p>More.</p></li>
      <li id="n2">[2] Second <a href="#r2">^</a></li></ol><p id="t"><a href="#q">*</a> Third</p>`
    expect(read(page)).to.equal(
      'One[^1], two[^2], one again[^1], a mark[^n3].\n\n## Notes\n\n[^1]: First, see [^2].\n\n    More.\n\n[^2]: Second\n\n[^n3]: Third',
    )
  })

  it('are known as several programs write them', () => {
    expect(
      read(
        '<p>A<a class="footnote-reference" href="#f" id="i">1</a>.</p><aside id="f"><span>[<a href="#i">1</a>]</span><p>Sphinx.</p></aside>',
      ),
    ).to.equal('A[^1].\n\n[^1]: Sphinx.')
    expect(read('<p>A<sup>[<a id="r" href="#d">1</a>]</sup>.</p><div id="d"><a href="#r">1</a>. Asciidoctor.</div>')).to.equal(
      'A[^1].\n\n[^1]: Asciidoctor.',
    )
    expect(
      read(
        '<p>A<sup id="cite_ref-1"><a href="#cite_note-1">[1]</a></sup>.</p><ol><li id="cite_note-1"><span><b><a href="#cite_ref-1">^</a></b></span> <span>MediaWiki.</span></li></ol>',
      ),
    ).to.equal('A[^1].\n\n[^1]: MediaWiki.')
  })

  it('are none where nothing leads back, and then nothing is lost', () => {
    expect(read('<p>A<sup><a href="#n">1</a></sup>.</p><ol><li id="n">Note</li></ol>')).to.equal('A<sup>1</sup>.\n\n1. Note')
    expect(read('<p id="n">A <a id="r" href="#n">1</a> <a href="#r">2</a></p>')).to.equal('A 1 2')
    expect(
      read(
        '<p>A<a id="r" href="#n">1</a> B<a id="s" href="#m">2</a></p><p><b id="n">x</b> <b id="m">y</b> <a href="#r">^</a> <a href="#s">^</a></p>',
      ),
    ).to.match(/^A\[\^1\] B2\n\n\[\^1\]: \*\*x\*\* \*\*y\*\*/)
  })

  it('take linear time, with thousands of references and notes inside each other', function () {
    this.timeout(60_000)
    const notes = Array.from({ length: 4000 }, (_, at) => `<a href="#n${at}" id="r${at}">1</a><b id="n${at}"></b><a href="#r${at}">x</a>`)
    expect(read(`<p>text</p><div>${notes.join('')}</div>`)).to.contain('text\n\n1x1x1x')
    expect(read(`${'<div id="n0">'.repeat(240)}${'<a href="#n0" id="n0">1</a>'.repeat(5000)}`)).to.match(/^1{5000}$/)
  })
})

describe('scrape: definition lists', () => {
  it('of short definitions are a list of terms', () => {
    expect(read('<dl><dt>Lid<dd>keeps steam <b>in</b><dt>Spout<dt>Beak<dd>pours</dl>')).to.equal(
      '- **Lid**: keeps steam **in**\n- **Spout**, **Beak**: pours',
    )
    expect(read('<dl><div><dt>What is it?</dt><dd><p>A kettle.</p></dd></div></dl>')).to.equal('- **What is it?** A kettle.')
    expect(read('<dl><dt>Lid<dd>a cover<dd>a handle</dl>')).to.equal('- **Lid**\n  - a cover\n  - a handle')
  })
  it('of long ones stay terms above their text', () => {
    expect(read('<dl><dt>f()</dt><dd><p>Does it.</p><pre>f()</pre></dd></dl>')).to.equal('**f()**\n\nDoes it.\n\n```\nf()\n```')
    expect(read('<dl><dt>one</dt><dd><p>a</p><p>b</p></dd><dt>two</dt></dl>')).to.equal('**one**\n\na\n\nb\n\n**two**')
  })
})

describe('scrape: tables with merged cells', () => {
  it('are HTML, a line a row, with what is in their cells', () => {
    const page = `<table><caption>By size</caption><tr><th rowspan="2">Size</th><th colspan="2" onclick="x()">Price <a href="p">list</a></th></tr>
      <tr><th>new</th><th>used</th></tr><tr><td>2 &lt; 3\n l</td><td><pre>a\n\nb</pre></td><td><table><tr><td>x</td><td>y</td></tr><tr><td>z</td></tr></table></td></tr></table>`
    expect(read(page)).to.equal(
      `<table>
<caption>By size</caption>
<tr><th rowspan="2">Size</th><th colspan="2">Price <a href="https://a.example/dir/p">list</a></th></tr>
<tr><th>new</th><th>used</th></tr>
<tr><td>2 &lt; 3 l</td><td><pre>a&#10;&#10;b</pre></td><td><table><tr><td>x</td><td>y</td></tr><tr><td>z</td></tr></table></td></tr>
</table>`,
    )
  })
  it('stay Markdown where a cell covers nothing but itself', () => {
    expect(read('<table><tr><th colspan="1">a</th><th>b</th></tr><tr><td>1</td><td rowspan="3">2</td></tr></table>')).to.equal(
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    )
  })
})

describe('scrape: scripts of other directions and without spaces', () => {
  it('keeps marks, joiners and spaces of text from right to left', () => {
    const text = 'العَرَبِيَّة (نص)\u200f، می\u200cخواهم، ٣٫٥٪، שָׁלוֹם'
    expect(read(`<html dir="rtl"><p>${text} <b>بكم </b>تالي</p>`)).to.equal(`${text} **بكم** تالي`)
    expect(read('<p dir="rtl">نص <bdo dir="ltr">abc</bdo></p>', 'html')).to.equal('<p dir="rtl">نص <bdo dir="ltr">abc</bdo></p>')
  })
  it('joins lines between ideographs and nowhere else', () => {
    expect(read('<p>水壶\n  烧水。\n「好」　終\n한국\n어 tea\n茶 ー\nあ</p>')).to.equal('水壶烧水。「好」　終 한국 어 tea 茶 ーあ')
    expect(read('<pre>水\n壶</pre>')).to.equal('```\n水\n壶\n```')
    expect(read('<table><tr><th>甲　乙</th></tr><tr><td>水\n壶\u00a0b</td></tr></table>')).to.equal('| 甲　乙 |\n| --- |\n| 水壶\u00a0b |')
  })
  it('takes linear time for lines without end', () => {
    const text = `水${' \n'.repeat(500_000)}a`
    expect(joinIdeographs(text)).to.equal(text)
  })
})

describe('scrape: details of Markdown', () => {
  it('F21 a label has no marks of blocks in it', () => {
    const card = (inner: string): string => read(`<p>x</p><a href="/a">${inner}</a>`).split('\n').at(-1)?.trim() ?? ''
    expect(card('<img src="/i.jpg" alt=""><h2>Story 1</h2>')).to.equal('[![](https://a.example/i.jpg) Story 1](https://a.example/a)')
    expect(card('<h3>Title</h3><blockquote>Said</blockquote><ul><li>one</li><li>two</li></ul>')).to.equal(
      '[Title Said one two](https://a.example/a)',
    )
    expect(card('<ol><li>first</li></ol>')).to.equal('[first](https://a.example/a)')
    expect(card('- 5 # &gt;')).to.equal('[\\- 5 # \\>](https://a.example/a)')
  })

  it('F21 items have the numbers that the page shows', () => {
    const numbers = (list: string): string => [...read(list).matchAll(/^-?\d+/gm)].map(([number]) => number).join()
    expect(numbers('<ol start="5"><li>a</li><li>b</li><li value="9">c</li><li>d</li></ol>')).to.equal('5,6,9,10')
    expect(numbers('<ol reversed><li>a</li><li>b</li><li>c</li></ol>')).to.equal('3,2,1')
    expect(numbers('<ol reversed start="10"><li>a</li><li value="4">b</li><li>c</li></ol>')).to.equal('10,4,3')
  })

  it('F21 a reading is distinguished from its base text, with and without brackets of the page', () => {
    expect(read('<p><ruby>明治<rt>めいじ</rt></ruby>時代</p>')).to.equal('明治(めいじ)時代')
    expect(read('<p><ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby>は</p>')).to.equal('港(みなと)は')
    expect(read('<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby></p>')).to.equal('東(とう)京(きょう)')
  })

  it('F21 blanks and breaks stand outside of marks', () => {
    const marked = (inner: string): string => read(`<p>a ${inner} z</p>`).replace(/\s+/g, ' ')
    expect(marked('<strong><br>Bold</strong>')).to.equal('a **Bold** z')
    expect(marked('<b>bold<br></b>')).to.equal('a **bold** z')
    expect(marked('<i><br> it <br></i>')).to.equal('a *it* z')
    expect(marked('<s> gone </s>')).to.equal('a ~~gone~~ z')
    expect(marked('<del><br></del>')).to.equal('a z')
  })

  it('F21 lines of code that are elements stay lines, whatever their name', () => {
    const code = (inner: string): string => read(`<p>x</p><pre><code>${inner}</code></pre>`).split('```')[1] ?? ''
    expect(code('<span style="display:block">make all</span><span style="display: flex">make check</span>')).to.equal(
      '\nmake all\nmake check\n',
    )
    expect(code('<div><span>a</span></div>\n<div>b</div>')).to.equal('\na\nb\n')
    expect(code('<section>a</section><section></section><section>b</section>')).to.equal('\na\n\nb\n')
    expect(code('<span>a</span> <span>b</span>')).to.equal('\na b\n')
  })
})
