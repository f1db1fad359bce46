#pragma once
/// Integer formats in the language: conversion between patterns and numbers.

#include "spec/formats/format.h"
#include "spec/lang/int.h"

namespace mmaspec {

/// The number of an integer format's pattern.
Int integer_value(const Format& format, Int pattern);

/// The pattern of x modulo 2^storage_bits; it represents x if the format holds x.
Int integer_pattern(const Format& format, Int x);

/// x, or the number of the format nearest to it.
Int clamped(const Format& format, Int x);

/// Whether x is a number of the format.
Bool holds_integer(const Format& format, Int x);

}  // namespace mmaspec
