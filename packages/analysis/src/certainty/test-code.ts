import type { Language } from '@filewright/contracts'
import type { Source } from '../text/source.js'

/** What only a test framework's own files hold: its imports, and calls that declare a test. */
const testCode =
  /^[ \t]*(?:describe|it|test|suite|specify|t\.test|Deno\.test|QUnit\.(?:test|module))(?:\.\w+)*\([ \t]*(?:["'`]|\{|async\b|\w+\s*,|$)|\b(?:from|require\(|import)[ \t]*["'](?:vitest|jest|mocha|chai|ava|tape?|tsd|node:test|bun:test|supertest|should|qunit|@jest\/[\w-]+|@playwright\/test|@testing-library\/[\w-]+)["']|^func (?:Test|Benchmark|Example|Fuzz)\w*\(|^[ \t]*(?:import )?(?:_ )?"(?:testing|net\/http\/httptest|github\.com\/stretchr\/testify\/\w+)"|^[ \t]*(?:async )?def test_|^[ \t]*(?:import|from) (?:pytest|unittest)\b|^[ \t]*@(?:Test|ParameterizedTest)\b|^import (?:static )?org\.(?:junit|testng|assertj|hamcrest|mockito)\b|^import com\.google\.common\.truth\b/m

/** A test module stands at the end of a Rust file, behind the code that it tests. */
const rustTests = /^[ \t]*#\[(?:cfg\(test\)|test|tokio::test)/m

/** Tells of a line whether it is part of a test. */
export function testCodeFinder({ text, lineAt }: Source, language: Language): (line: number) => boolean {
  if (language === 'rust') {
    const start = rustTests.exec(text)?.index
    const first = start === undefined ? Infinity : lineAt(start)
    return (line) => line >= first
  }
  const isTest = testCode.test(text)
  return () => isTest
}

/**
 * Whether code talks to its own machine or looks at the certificate itself: then it may do without the check
 * of TLS.
 */
export const isTrusted = (text: string): boolean =>
  /\blocalhost\b|\b127\.0\.0\.1\b|\[::1\]|getPeerCertificate|VerifyPeerCertificate|VerifyConnection|fingerprint/i.test(
    text
  )
