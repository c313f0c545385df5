/** A page of a Debian package, read during the gate. */
export interface RealPage {
  readonly package: string
  readonly path: string
  /** Its matches, in order, are the reference text. */
  readonly selector: string
  /** Parts of the matches that are left out; empty for none. */
  readonly without: string
}

/** Documentation of many generators: the repository contains only paths and selectors, not the text. */
export const REAL_PAGES: readonly RealPage[] = [
  { package: 'base-passwd', path: '/usr/share/doc/base-passwd/users-and-groups.html', selector: 'body', without: '.TOC' },
  { package: 'time', path: '/usr/share/doc/time/time.html', selector: 'body', without: '.header, .Contents_element' },
  { package: 'ninja-build', path: '/usr/share/doc/ninja-build/manual.html', selector: '.book', without: '.toc' },
  { package: 'optipng', path: '/usr/share/doc/optipng/png_optimization.html', selector: 'body', without: '' },
  { package: 'optipng', path: '/usr/share/doc/optipng/optipng.man.html', selector: 'body', without: '' },
  { package: 'debian-faq-zh-cn', path: '/usr/share/doc/debian/FAQ/zh-cn/choosing.zh-cn.html', selector: '.chapter', without: '.toc' },
  {
    package: 'aptitude-doc-ja',
    path: '/usr/share/doc/aptitude/html/ja/ch02s05s04.html',
    selector: 'body',
    without: '.navheader, .navfooter, .toc',
  },
  { package: 'execnet-doc', path: '/usr/share/doc/execnet-doc/html/basics.html', selector: '.body', without: '.headerlink' },
  {
    package: 'flask-sqlalchemy-doc',
    path: '/usr/share/doc/flask-sqlalchemy-doc/html/quickstart.html',
    selector: '.body',
    without: '.headerlink',
  },
  {
    package: 'highlight.js-doc',
    path: '/usr/share/doc/highlight.js-doc/html/language-guide.html',
    selector: '.body',
    without: '.headerlink',
  },
  {
    package: 'mkdocs-doc',
    path: '/usr/share/doc/mkdocs/html/user-guide/writing-your-docs.html',
    selector: '[role=main]',
    without: '.headerlink',
  },
  {
    package: 'libatinject-jsr330-api-java-doc',
    path: '/usr/share/doc/libatinject-jsr330-api-java/api/org/atinject/tck/auto/Tire.html',
    selector: '.header, .contentContainer',
    without: '',
  },
  {
    package: 'libjoptsimple-java-doc',
    path: '/usr/share/doc/libjoptsimple-java/api/joptsimple/OptionSet.html',
    selector: 'main',
    without: '',
  },
  { package: 'libidn2-doc', path: '/usr/share/doc/libidn2-doc/gtk-doc/libidn2-idn2.h.html', selector: '.refentry', without: '' },
  { package: 'lua5.2-doc', path: '/usr/share/doc/lua5.2/readme.html', selector: 'body', without: '' },
  {
    package: 'qtwebview5-doc-html',
    path: '/usr/share/qt5/doc/qtwebview/qml-qtwebview-webview.html',
    selector: '.mainContent',
    without: '.sidebar',
  },
  { package: 'skalibs-doc', path: '/usr/share/doc/skalibs/libstddjb/iopause.html', selector: 'body', without: '' },
  {
    package: 'libiniparser-doc',
    path: '/usr/share/doc/libiniparser-doc/html/iniparser_8h.html',
    selector: '.headertitle, .contents',
    without: '',
  },
  { package: 'debdelta-doc', path: '/usr/share/doc/debdelta-doc/html/x65.html', selector: 'body', without: '.NAVHEADER, .NAVFOOTER, .TOC' },
  { package: 'camlidl-doc', path: '/usr/share/doc/camlidl/html/main003.html', selector: 'body', without: '' },
]
