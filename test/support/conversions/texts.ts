/** What every document of these samples says. */
export const WORDS = 'Words of a sample, Grüße'

/** Formats that pandoc only reads, and lists of references. */
export const TEXTS: Readonly<Record<string, string>> = {
  md: `# Sample\n\n${WORDS}, *and more*.\n\n| Name | Number |\n|---|---|\n| one | 1 |\n\n- first\n- second\n`,
  html: `<!DOCTYPE html><html><head><meta charset="utf-8"><title>Sample</title></head><body><h1>Sample</h1><p>${WORDS}</p></body></html>`,
  creole: `= Sample =\n\n${WORDS}, **and more**.\n`,
  t2t: `Sample\nAuthor\nDate\n\n= Sample =\n\n${WORDS}, **and more**.\n`,
  tikiwiki: `!Sample\n${WORDS}, __and more__.\n`,
  twiki: `---+ Sample\n\n${WORDS}, *and more*.\n`,
  vimwiki: `= Sample =\n\n${WORDS}, *and more*.\n`,
  csv: `Name,Text\none,"${WORDS}"\n`,
  bib: `@book{sample, author = {Last, First}, title = {${WORDS}}, year = {2020}, publisher = {Example}}\n`,
  pml: `\\xSample\\x\n\nWords of a sample, Gr\\a252\\a223e\n`,
  ps: ['%!PS-Adobe-3.0', '%%Pages: 2', '/Helvetica findfont 24 scalefont setfont', '72 700 moveto (Words of a sample) show showpage']
    .concat(['72 700 moveto (Page two) show showpage', '%%EOF', ''])
    .join('\n'),
  eps: [
    '%!PS-Adobe-3.0 EPSF-3.0',
    '%%BoundingBox: 0 0 300 100',
    '/Helvetica findfont 24 scalefont setfont',
    '20 40 moveto (Words of a sample) show',
  ]
    .concat(['showpage', '%%EOF', ''])
    .join('\n'),
}
