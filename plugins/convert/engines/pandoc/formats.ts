/** pandoc's names of a format for reading and writing (https://pandoc.org/MANUAL.html#general-options). */
interface MarkupFormat {
  readonly read?: string
  readonly write?: string
}

/** Pipe tables and no attributes in braces: Markdown that other programs display. */
const PLAIN_MARKDOWN =
  'markdown-simple_tables-multiline_tables-grid_tables-header_attributes-link_attributes-fenced_divs-bracketed_spans-raw_attribute-smart'

const both = (name: string): MarkupFormat => ({ read: name, write: name })

/**
 * pandoc's RTF reader is left out: it loses letters after non-ASCII ones. So are slides that load their scripts from
 * elsewhere (reveal.js, Slidy, S5, Slideous), and PDF, for which pandoc starts another program.
 */
export const MARKUP: Readonly<Record<string, MarkupFormat>> = {
  md: { read: 'markdown', write: PLAIN_MARKDOWN },
  gfm: both('gfm'),
  commonmark: both('commonmark'),
  'commonmark-x': both('commonmark_x'),
  'markdown-mmd': both('markdown_mmd'),
  'markdown-phpextra': both('markdown_phpextra'),
  'markdown-strict': both('markdown_strict'),
  markua: { write: 'markua' },
  rst: both('rst'),
  adoc: { write: 'asciidoctor' },
  org: both('org'),
  muse: both('muse'),
  textile: both('textile'),
  haddock: both('haddock'),
  t2t: { read: 't2t' },
  mediawiki: both('mediawiki'),
  dokuwiki: both('dokuwiki'),
  jira: both('jira'),
  creole: { read: 'creole' },
  tikiwiki: { read: 'tikiwiki' },
  twiki: { read: 'twiki' },
  vimwiki: { read: 'vimwiki' },
  xwiki: { write: 'xwiki' },
  zimwiki: { write: 'zimwiki' },
  tex: both('latex'),
  beamer: { write: 'beamer' },
  context: { write: 'context' },
  texi: { write: 'texinfo' },
  man: both('man'),
  ms: { write: 'ms' },
  docbook: { read: 'docbook', write: 'docbook5' },
  jats: both('jats'),
  tei: { write: 'tei' },
  opml: both('opml'),
  icml: { write: 'icml' },
  ipynb: both('ipynb'),
  html: { read: 'html', write: 'html5' },
  xhtml: { read: 'html', write: 'html4' },
  dzslides: { write: 'dzslides' },
  docx: both('docx'),
  odt: both('odt'),
  pptx: { write: 'pptx' },
  rtf: { write: 'rtf' },
  epub: { read: 'epub', write: 'epub3' },
  epub2: { write: 'epub2' },
  fb2: both('fb2'),
  txt: { write: 'plain' },
  csv: { read: 'csv' },
  bib: both('bibtex'),
  biblatex: both('biblatex'),
  csljson: both('csljson'),
  'pandoc-json': both('json'),
  native: both('native'),
}

/** Reference lists, rendered as a bibliography in other formats. */
export const REFERENCES: readonly string[] = ['bib', 'biblatex', 'csljson']
