import t from 'tap'
import { isCatastrophicRegex } from '../src/text/regex-danger.js'
import { looksLikeSql } from '../src/text/sql-text.js'
import { createSource } from '../src/text/source.js'

t.test('patterns that can take exponential time are told from those that cannot', async (t) => {
  for (const pattern of [
    '^(a+)+$',
    '^(\\w+\\s?)*$',
    '(.*)*x',
    '^([a-z]+)*$',
    '^(a|a)*b',
    '(\\d|\\w)+$',
    '^((ab)*)*$',
    '(.|\\s)*z',
    '^(?:x+x+)+y',
    '([^"]*)*"',
    '^(a{1,})+$',
    '^(?:\\s+(?!x))+$',
    '^[a-z](([-.]|_+)?([a-z]+))*@[a-z]+$',
    '^([\\w.-])+@(([a-z-])+\\.)+([a-z]{2,4})+$',
    '^(([a-z])+.)+[A-Z]([a-z])+$'
  ]) {
    t.ok(isCatastrophicRegex(pattern), pattern)
  }
  for (const pattern of [
    '^a+b+$',
    '^(\\w+\\.)*\\w+$',
    '^(?:[a-z]+-)*[a-z]+$',
    '(.|\\n)*x',
    '^(ab|cd)+$',
    '^\\d{3}-\\d{4}$',
    '(foo|bar)*baz',
    '^(a+)?$',
    '(a+)+',
    '[(a+)+]',
    '(',
    'a)b(c+)+$',
    '^(?=(a+))\\1$',
    '(a++)+b',
    '^(?:\\s+(?!\\s)|\\w)+$',
    '^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$',
    '(?:\\s*\\b[a-z]\\w*)+;'
  ]) {
    t.notOk(isCatastrophicRegex(pattern), pattern)
  }
})

t.test('statements are told from sentences', async (t) => {
  for (const text of [
    'SELECT id FROM users WHERE id = ',
    'insert into a (b) values (',
    'UPDATE users SET name = ',
    'delete from a where b = ',
    'drop table ',
    'WITH x AS (SELECT 1) SELECT',
    'select a, b as c from t',
    'select count(*) from ',
    'SELECT u.id, o.total FROM users u JOIN orders o ON',
    'select * from `${}` where id = ${}',
    'update ${} set ',
    'INSERT INTO [log] VALUES (',
    'select distinct name from users order by ${}',
    'truncate table logs',
    'delete from sessions',
    'EXEC sp_executesql'
  ]) {
    t.ok(looksLikeSql(text), text)
  }
  for (const text of [
    'Select a file',
    'Update available',
    'Delete this?',
    'selected from the list',
    'Insert coin',
    'from here to there',
    'created table of contents',
    'Select ${} items from the list',
    'Select {count} files from your folder',
    'Delete ${} from here',
    'Update the set of rules',
    'truncate text',
    'Execute command ',
    'Create user ',
    'Insert into the slot',
    'with care as (always)',
    'Drop table tennis ball'
  ]) {
    t.notOk(looksLikeSql(text), text)
  }
})

t.test('lines are counted as the analyzers count them', async (t) => {
  const source = createSource('a\r\nb\rc\nd')

  t.equal(source.lines.length, 4)
  t.strictSame(
    [0, 3, 5, 7].map((offset) => source.lineAt(offset)),
    [1, 2, 3, 4]
  )
})
