/** The `package.json` of a plugin in JavaScript, with which npm can publish and install it. */
export function packageFile(name: string): string {
  const file = {
    name: `capstan-plugin-${name}`,
    version: '0.1.0',
    type: 'module',
    exports: './index.js',
    files: ['*.js', 'providers', 'vendors', 'fixtures'],
    keywords: ['capstan-plugin'],
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
