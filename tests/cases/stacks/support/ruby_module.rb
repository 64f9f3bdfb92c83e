# SPDX-License-Identifier: GPL-2.0-or-later
# A second file of ruby_subject.rb.

module Kept
  def self.apply(number)
    yield(number)
  end

  module_function

  def later(number, &block)
    apply(
      number,
      &block
    )
  end

  class Keeper
    include Comparable

    def initialize(&block)
      @block = block
    end

    def <=>(_other)
      @block.call(1)
      0
    end

    def [](number)
      Kept.later(number) { |n| @block.call(n) }
    end

    def to_s
      @block.(2).to_s
    end

    def each
      yield 1
      yield(
        2
      )
    end
    include Enumerable
  end
end
