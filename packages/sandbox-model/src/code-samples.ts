export const SANDBOX_NOTE = 'Sandbox answer: a fixed sample, not written by a language model.'

/** Go is indented with tabs. */
function tabbed(code: string): string {
  return code.replace(/ {4}/g, '\t')
}

const javascript = `// ${SANDBOX_NOTE}
export function average (numbers) {
  if (numbers.length === 0) return 0
  let sum = 0
  for (const number of numbers) sum += number
  return sum / numbers.length
}`

const typescript = `// ${SANDBOX_NOTE}
export function average (numbers: readonly number[]): number {
  if (numbers.length === 0) return 0
  let sum = 0
  for (const number of numbers) sum += number
  return sum / numbers.length
}`

const python = `# ${SANDBOX_NOTE}
from collections.abc import Sequence


def average(numbers: Sequence[float]) -> float:
    """Return the arithmetic mean, or 0.0 for no numbers."""
    if not numbers:
        return 0.0
    return sum(numbers) / len(numbers)`

const go = tabbed(`// ${SANDBOX_NOTE}
package sample

// Average returns the arithmetic mean, or 0 for no numbers.
func Average(numbers []float64) float64 {
    if len(numbers) == 0 {
        return 0
    }
    sum := 0.0
    for _, number := range numbers {
        sum += number
    }
    return sum / float64(len(numbers))
}`)

const java = `// ${SANDBOX_NOTE}
public final class Average {
    private Average() {
    }

    public static double of(double[] numbers) {
        if (numbers.length == 0) {
            return 0.0;
        }
        double sum = 0.0;
        for (double number : numbers) {
            sum += number;
        }
        return sum / numbers.length;
    }
}`

const rust = `// ${SANDBOX_NOTE}
/// The arithmetic mean, or 0 for no numbers.
pub fn average(numbers: &[f64]) -> f64 {
    if numbers.is_empty() {
        return 0.0;
    }
    numbers.iter().sum::<f64>() / numbers.len() as f64
}`

const sql = `-- ${SANDBOX_NOTE}
SELECT customer_id, avg(amount) AS average_amount
FROM orders
GROUP BY customer_id
ORDER BY average_amount DESC;`

const bash = `#!/usr/bin/env bash
# ${SANDBOX_NOTE}
set -euo pipefail

average() {
  local sum=0
  local number
  if [ "$#" -eq 0 ]; then
    echo 0
    return
  fi
  for number in "$@"; do
    sum=$((sum + number))
  done
  echo $((sum / $#))
}

average "$@"`

const css = `/* ${SANDBOX_NOTE} */
.card {
  border: 1px solid #d0d7de;
  border-radius: 8px;
  padding: 16px;
}

.card:focus-within {
  outline: 2px solid #0969da;
}`

const html = `<!doctype html>
<!-- ${SANDBOX_NOTE} -->
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Sample</title>
  </head>
  <body>
    <main>
      <h1>Sample</h1>
      <p>A small, complete page.</p>
    </main>
  </body>
</html>`

const php = `<?php
// ${SANDBOX_NOTE}
declare(strict_types=1);

/** @param float[] $numbers */
function average(array $numbers): float
{
    if ($numbers === []) {
        return 0.0;
    }

    return array_sum($numbers) / count($numbers);
}`

const ruby = `# frozen_string_literal: true

# ${SANDBOX_NOTE}
def average(numbers)
  return 0.0 if numbers.empty?

  numbers.sum.to_f / numbers.length
end`

const c = `/* ${SANDBOX_NOTE} */
#include <stddef.h>

double average(const double *numbers, size_t count)
{
    if (numbers == NULL || count == 0) {
        return 0.0;
    }
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += numbers[i];
    }
    return sum / (double) count;
}`

const cpp = `// ${SANDBOX_NOTE}
#include <numeric>
#include <vector>

double average(const std::vector<double>& numbers)
{
    if (numbers.empty()) {
        return 0.0;
    }
    const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    return sum / static_cast<double>(numbers.size());
}`

const csharp = `// ${SANDBOX_NOTE}
using System.Collections.Generic;
using System.Linq;

public static class Statistics
{
    public static double Average(IReadOnlyCollection<double> numbers)
    {
        return numbers.Count == 0 ? 0.0 : numbers.Sum() / numbers.Count;
    }
}`

/** A small, complete program file per language. */
export const codeSamples: Readonly<Record<string, string>> = {
  javascript,
  typescript,
  python,
  go,
  java,
  rust,
  sql,
  bash,
  css,
  html,
  php,
  ruby,
  c,
  cpp,
  csharp
}

/** Other names of a language. */
export const languageAliases: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  node: 'javascript',
  nodejs: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  python3: 'python',
  golang: 'go',
  rs: 'rust',
  postgresql: 'sql',
  postgres: 'sql',
  mysql: 'sql',
  sqlite: 'sql',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  scss: 'css',
  htm: 'html',
  rb: 'ruby',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp'
}

export const contentSample = `# A sample text

This text comes from a sandbox and not from a language model. It is always the same, so that every part around the model can be tried without one.

- Connect a real model to get real answers.
- Everything else already works as it will then.`
