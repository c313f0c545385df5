import { expect } from 'chai'
import { atMost } from '../../test/support/time.js'
import extract from './work/extract.js'
import { formulasIn } from './work/tex.js'

function read(html: string, output: 'markdown' | 'html' = 'markdown'): string {
  const found = extract({ html, url: 'https://a.example/dir/page', output, selector: null })
  if ('limit' in found) throw new Error(found.limit)
  return found.content
}

const PROSE = 'The ferry across the sound has run since 1911, and in all that time the timetable was printed only twice a year. '.repeat(4)
const KATEX =
  '<span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow>' +
  '<annotation encoding="application/x-tex">E = mc^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base">E=mc2</span></span></span>'
const MEDIAWIKI =
  '<span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math><semantics><mi>E</mi><annotation encoding="application/x-tex">{\\displaystyle E_{k}}</annotation>' +
  '</semantics></math></span><img src="/svg/1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle E_{k}}"></span>'

/** Markup of a formula between two words, and the resulting Markdown. */
const FORMULAS: Readonly<Record<string, readonly [string, string]>> = {
  'KaTeX with its TeX': [KATEX, '$E = mc^2$'],
  'KaTeX that is drawn and nothing else': ['<span class="katex"><span class="katex-html" aria-hidden="true">x+y</span></span>', 'x+y'],
  'a script of MathJax 2': ['<script type="math/tex">\\frac{a}{b}</script>', '$\\frac{a}{b}$'],
  'a script of MathJax 2 beside what it drew': [
    '<span class="MathJax_Preview">b</span><span class="MathJax"><nobr><span>b2</span></nobr><span class="MJX_Assistive_MathML"><math><msup><mi>b</mi><mn>2</mn></msup></math></span></span><script type="math/tex; mode=display">b^{2}</script>',
    '$$b^{2}$$',
  ],
  'what MathJax 2 drew, without the script': [
    '<span class="MathJax"><nobr><span>b2</span></nobr><span class="MJX_Assistive_MathML"><math><msup><mi>b</mi><mn>2</mn></msup></math></span></span>',
    '$b^2$',
  ],
  'MathJax 3': [
    '<mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true"><mjx-mi>?</mjx-mi></mjx-math><mjx-assistive-mml><math display="block"><munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msqrt><mi>α</mi></msqrt></math></mjx-assistive-mml></mjx-container>',
    '$$∑_{k=1}^n\\sqrt{α}$$',
  ],
  'MathML without TeX': ['<math><mfrac><mi>p</mi><mi>q</mi></mfrac></math>', '$\\frac{p}{q}$'],
  'MathML of an index, a root, a function and an accent': [
    '<math><msub><mi>x</mi><mn>12</mn></msub><mo>=</mo><mroot><mi>y</mi><mn>3</mn></mroot><mi>sin</mi><mo>&#x2061;</mo><mi>z</mi><mover><mi>v</mi><mo>→</mo></mover></math>',
    '$x_{12}=\\sqrt[3]{y}\\sin z\\vec{v}$',
  ],
  'a matrix': [
    '<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable></math>',
    '$\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}$',
  ],
  "MediaWiki's picture": [MEDIAWIKI, '$E_{k}$'],
  "MediaWiki's picture beside MathML that is shown": [MEDIAWIKI.replace(' style="display: none;"', ''), '$E_{k}$'],
  "WordPress's picture": ['<img class="latex" src="https://s0.example/latex.php?latex=a_b" alt="a_b">', '$a_b$'],
  'TeX between dollars': ['$h_{i} \\cdot \\omega_k$', '$h_{i} \\cdot \\omega_k$'],
  'TeX between double dollars over several lines': ['$$<br>a_1 &lt; b_2<br>$$', '$$a_1 < b_2$$'],
  'TeX between round brackets': ['\\(A_k\\)', '$A_k$'],
  'TeX between square brackets': ['\\[\\sum_{k} A_k\\]', '$$\\sum_{k} A_k$$'],
}

describe('scrape: formulas', () => {
  for (const [name, [html, markdown]] of Object.entries(FORMULAS)) {
    it(`F8 ${name} is read once, as TeX`, () => {
      expect(read(`<p>Here ${html} ends.</p>`)).to.equal(`Here ${markdown} ends.`)
      expect(read(`<article><h1>Tides</h1><p>${PROSE}</p><p>Here ${html} ends.</p><p>${PROSE}</p></article>`)).to.include(
        `Here ${markdown} ends.`,
      )
    })
  }

  it('F8 a formula of a heading and of a table is read', () => {
    expect(read(`<h1>On ${KATEX}</h1><p>${PROSE}</p>`)).to.match(/^# On \$E = mc\^2\$\n\nThe ferry/)
    expect(read('<table><tr><th>f</th><th>g</th></tr><tr><td>$|x_1|$</td><td><math><mi>y</mi></math></td></tr></table>')).to.equal(
      '| f | g |\n| --- | --- |\n| $\\|x_1\\|$ | $y$ |',
    )
  })

  it('F8 HTML has formulas too', () => {
    expect(read(`<p>Here ${KATEX} ends.</p>`, 'html').replace(/<\/?span>/g, '')).to.equal('<p>Here $E = mc^2$ ends.</p>')
  })

  it('F8 money, variables of a shell and code are no formulas', () => {
    expect(read('<p>It costs $5 and $6, rated $$ to $$$. Set $HOME_DIR and $PATH_X; \\(word\\). <code>$x_1$ y_2</code></p>')).to.equal(
      'It costs $5 and $6, rated $$ to $$$. Set $HOME\\_DIR and $PATH\\_X; \\\\(word\\\\). `$x_1$ y_2`',
    )
  })

  it('F8 a formula whose end tag is missing ends with its paragraph', () => {
    expect(read('<div>Before <math><mi>z</mi><p>goes on</p></div>')).to.equal('Before $z$\n\ngoes on')
  })

  it('F8 formulas are looked for in a time that grows with the text', async function () {
    for (const unit of ['$a', '\\(', '$$x', '\\[a_1', '$ $x_']) {
      const text = unit.repeat(64 * 1024)
      const begun = process.cpuUsage()
      formulasIn(text)
      await atMost(this, { what: `ms for formulas of ${JSON.stringify(unit)}`, value: process.cpuUsage(begun).user / 1000, limit: 300 })
    }
  })
})
