/* Rows of the vector format, read and answered line by line: what these programs know of the
 * project. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_K 8

typedef struct {
  char instr[200];
  uint64_t a[MAX_K];
  uint64_t b[MAX_K];
  uint64_t c;
  int k;
} Row;

/* The text of a member "key":"...", or NULL. */
static const char* text_of(const char* line, const char* key) {
  char pattern[32];
  snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
  const char* at = strstr(line, pattern);
  return at == NULL ? NULL : at + strlen(pattern);
}

static int words_of(const char* text, uint64_t* words) {
  int count = 0;
  while (*text != '"' && *text != '\0' && count < MAX_K) {
    char* end = NULL;
    words[count++] = strtoull(text, &end, 16);
    if (end == text) return -1;
    text = end;
    while (*text == ' ') ++text;
  }
  return count;
}

static int parse(const char* line, Row* row) {
  const char* instr = text_of(line, "instr");
  const char* a = text_of(line, "a");
  const char* b = text_of(line, "b");
  const char* c = text_of(line, "c");
  if (instr == NULL || a == NULL || b == NULL || c == NULL) return 0;
  const size_t length = strcspn(instr, "\"");
  if (length >= sizeof row->instr) return 0;
  memcpy(row->instr, instr, length);
  row->instr[length] = '\0';
  row->k = words_of(a, row->a);
  row->c = strtoull(c, NULL, 16);
  return row->k > 0 && words_of(b, row->b) == row->k;
}

typedef struct {
  const char* name; /* of the catalogue */
  int k;
  int digits; /* of d */
  uint64_t (*run)(const Row* row);
} Instruction;

/* Answers all rows of standard input; the program's exit status. */
static int answer_all(const Instruction* all, size_t count) {
  static char line[1 << 16];
  Row row;
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '\0') continue;
    if (!parse(line, &row)) {
      fprintf(stderr, "not a row: %.80s\n", line);
      return 2;
    }
    const Instruction* found = NULL;
    for (size_t i = 0; i < count; ++i) {
      if (strcmp(all[i].name, row.instr) == 0 && all[i].k == row.k) found = &all[i];
    }
    if (found == NULL) {
      fprintf(stderr, "unknown instruction '%s'\n", row.instr);
      return 2;
    }
    line[strlen(line) - 1] = '\0';
    printf("%s,\"d\":\"%0*llx\"}\n", line, found->digits, (unsigned long long)found->run(&row));
  }
  return 0;
}
